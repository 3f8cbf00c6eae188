"""Yes or no, true or false: what a text states as its answer to a question that has only these two."""

import re

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.statements import in_order
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction

_TRUE = ("yes", "true", "correct", "是", "是的", "对", "正确")
_FORMS = ("box", "tag", "####", ("answer-is", "答案是", "heading", "answer:"), "A:")
_LEAD = (
    r"(?:[\s*_`\"'“”‘’$(){}\[\]【】:：]|\\(?:boxed|text(?:bf)?|mathrm|mbox)"
    r"|(?i:therefore|thus|simply|likely|clearly)\b){0,20}+"
)
_VERDICT = re.compile(
    rf"{_LEAD}(?P<word>(?i:yes|no|true|false|correct|incorrect)(?![A-Za-z0-9-])"
    r"(?!\s(?i:one|body|doubt|matter|idea|longer|more|less|fewer|answer|way|information|need|such|other|problem|love|detective)\b)"
    r"|是的?(?![一-鿿])|对(?![一-鿿])|正确|否|不是|不对|不正确|错误|错(?![一-鿿]))"
)
_ONLY = re.compile(rf"(?:{_VERDICT.pattern})[\s*_`\"'“”’$(){{}}\[\]】.。!,]{{0,20}}")


def truth_answer(text: str) -> Extraction:
    """`True` or `False` that the text states, else that its first line begins with or its last line consists of.

    "No one" and "true love" are no verdicts. Never raises, takes linear time.
    """
    text = visible(text)
    for start, stop in sections(text):
        if found := _stated(text, start, stop) or _of_lines(text, start, stop):
            return found
    return Extraction.unparsed()


def truth_of_clause(clause: str) -> bool | None:
    """What a clause begins with: "True: because …", "no, since …"; None for anything else."""
    match = _VERDICT.match(clause)
    return match["word"].lower() in _TRUE if match else None


def _stated(text: str, start: int, stop: int) -> Extraction | None:
    for statement in in_order(text, start, stop, _FORMS):
        if match := _VERDICT.match(text, statement.begin, statement.limit):
            return _found(match, statement.form)
    return None


def _of_lines(text: str, start: int, stop: int) -> Extraction | None:
    if match := _VERDICT.match(text, start, stop):
        return _found(match, "first-line")
    end = start + len(text[start:stop].rstrip())
    begin = max(text.rfind("\n", start, end) + 1, start)
    match = _ONLY.fullmatch(text, begin, end) if end - begin < 200 else None
    return _found(match, "last-line") if match else None


def _found(match: re.Match[str], rule: str) -> Extraction:
    return Extraction(match["word"].lower() in _TRUE, rule, match.span("word"))
