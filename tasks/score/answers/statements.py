r"""Where a text states its answer: the one grammar of statements, whatever is looked for.

A form announces an answer: "the answer is", "Answer:", a heading, `\boxed{}`, a tag, `####`, the Chinese forms. What
stands behind it is read by whoever looks for an option, a set of options, a number, yes or no, a short text or a
formula. Every repetition is bounded, so that a search takes linear time.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.score.answers.latex import boxes, without_text_commands

_TO = r"(?:\s{1,3}(?:to|for|of)\b[^.\n:]{1,100}?)?"
VERB = (
    r"(?:is|are|was|were|equals|(?:would|will|should|must)\s{1,3}be|(?:has|have)\s{1,3}to\s{1,3}be"
    r"|(?:appears?|seems?)\s{1,3}to\s{1,3}be)"
)
ADVERB = (
    r"(?:\s{1,3}(?:therefore|thus|hence|clearly|likely|most\s+likely|definitely|indeed|actually|probably|simply|only))?"
)
COLON = r"[\s*_]{0,8}[:：=]"
ANSWER_IS = rf"\b(?i:answers?{_TO}\s{{1,3}}{VERB}\b{ADVERB})(?:{COLON})?"
"""The rule `answer-is`."""
ANSWER_LABEL = rf"\b(?i:answers?)(?:\s(?i:option|choice|letter))?{COLON}"
"""The rule `answer:`."""
HEADING = (
    r"(?<![^\n])[ \t>#*_]{0,9}(?i:(?:the|my|final|correct|best|short)\s){0,3}(?i:answer)[*_ \t#]{0,9}\n"
    r"|(?<![^\n])[ \t>#*_]{0,9}(?:最终|正确){0,2}答案[*_ \t#]{0,9}\n"
)
"""A line of its own; the answer stands below it."""
FOREIGN_WORDS = (
    "Antwort|Lösung|Réponse|Reponse|Respuesta|Resposta|Risposta|Antwoord|Ответ|Відповідь|Odpowiedź|Cevap|Jawaban|Jibu"
    "|Đáp án|答え|回答|解答|正解|정답|답|उत्तर|উত্তর|సమాధానం|คำตอบ|الإجابة|الجواب|תשובה"
)
FOREIGN_LABEL = rf"(?i:{FOREIGN_WORDS})[\s*_]{{0,6}}(?:[:：]|\b(?:ist|es|é|è|est)\b|は|는|은){{1,2}}"
SHOULD = "(?:应该|应当|应|應該|應|该|就|显然|当然|最终|一定|可能){0,3}"
CHINESE_IS = (
    rf"答案(?:选项)?{SHOULD}[\s*_】]{{0,6}}"
    r"(?:(?:是|为|為|等于|选择|选|選|填)[\s*_]{0,6}[:：=]?|[:：=]|(?<=】))"
)
"""The rule `答案是`."""
_TAG = r"<(?P<tag>(?i:(?:final[_ -]?)?answer))>"
_HASHES = r"(?<!#)####(?!#)"
_A_LINE = r"(?<![^\n])[ \t*_]{0,6}A[*_]{0,3}[:：]"

FORMS = {
    "tag": _TAG,
    "####": _HASHES,
    "answer-is": ANSWER_IS,
    "答案是": CHINESE_IS,
    "heading": HEADING,
    "answer:": rf"{ANSWER_LABEL}|{FOREIGN_LABEL}",
    "A:": _A_LINE,
    "last ####": rf"{_HASHES}(?=[^\n]{{1,400}}\s{{0,99}}\Z)",
}
"""What announces an answer, by the name of the rule. A box has no pattern, since its braces are counted."""
_COMPILED = {name: re.compile(pattern) for name, pattern in FORMS.items()}
_ENGLISH = ("nswer", "NSWER")
_HINTS = {
    "tag": ("</",),
    "####": ("####",),
    "last ####": ("####",),
    "A:": ("A",),
    "答案是": ("答案",),
    "answer-is": _ENGLISH,
    "heading": (*_ENGLISH, "答案"),
    "answer:": _ENGLISH,
}
"""Of these the text holds at least one wherever the form matches, if it is in ASCII; saves most searches."""
_MOST = 64


class Statement(NamedTuple):
    """A place where a text states an answer."""

    form: str
    begin: int
    """Where the answer begins."""
    limit: int
    """Where it ends at the latest."""
    cue: int
    """Where the announcement begins."""


def statements(text: str, start: int, stop: int, form: str) -> list[Statement]:
    """The last 64 statements of a form, the latest first. Each ends where the next one begins."""
    if form == "box":
        return [Statement("box", inner, end, cue) for cue, inner, end in reversed(_boxes(text, start, stop))]
    if (form != "answer:" or text.isascii()) and not any(hint in text for hint in _HINTS[form]):
        return []
    found: list[Statement] = []
    limit = stop
    for match in reversed(deque(_COMPILED[form].finditer(text, start, stop), maxlen=_MOST)):
        end = limit
        if form == "tag":
            closing = text.find(f"</{match['tag']}>", match.end(), limit)
            end = closing if closing >= 0 else limit
        found.append(Statement(form, match.end(), end, match.start()))
        limit = match.start()
    return found


def in_order(text: str, start: int, stop: int, forms: Sequence[str | Sequence[str]]) -> Iterator[Statement]:
    """The statements form by form; those of forms in one group together, the latest first."""
    for group in forms:
        names = (group,) if isinstance(group, str) else group
        found = [statement for name in names for statement in statements(text, start, stop, name)]
        yield from sorted(found, key=lambda statement: -statement.begin) if len(names) > 1 else found


def box_content(text: str, statement: Statement) -> str:
    r"""What a box holds, without `\text{…}` and dollar signs."""
    return without_text_commands(text[statement.begin : statement.limit]).strip(" $")


def _boxes(text: str, start: int, stop: int) -> list[tuple[int, int, int]]:
    found = boxes(text[start:stop])
    return [(start + box.span[0], start + box.span[1] - 1 - len(box.content), start + box.span[1] - 1) for box in found]
