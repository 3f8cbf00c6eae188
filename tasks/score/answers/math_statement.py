r"""The mathematical answer that a text states: a box, "the answer is …", or a text that is nothing but the answer."""

import re
from collections import deque
from collections.abc import Iterator

from tasks.score.answers.latex import boxes, last_group
from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.statements import in_order
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction

_OPEN_BOX = re.compile(
    r"\\(?:boxed|fbox)[ \t]{1,3}"
    r"(?P<x>-?\d[\d.,/]{0,40}|\\frac\s?\d\d|\\frac\{[^{}\n]{1,40}\}\{[^{}\n]{1,40}\}|[A-Za-z](?![A-Za-z]))"
)
_PLACEHOLDER = re.compile(
    r"\s*(?:\\text\{)?\s*(?:(?:your|the|my|final)\s)*(?:answer|result|solution|expression|\.{2,}|\\[lc]?dots|[_ ]*)"
    r"(?:\shere)?\s*\}?\s*",
    re.IGNORECASE,
)
_FORMS = (("answer-is", "答案是", "heading", "answer:", "tag"), "last ####")
_LEAD = re.compile(
    r"(?:[\s*_`\"'“:：]|\([a-hA-H]\)\s{1,3}(?!(?:and|or)\b)(?=[\w$(\[-]|\\(?:[dt]?frac|sqrt|text|pi|boxed))|(?i:therefore|thus|hence|simply|just|approximately|about|exactly|equal\sto|the\s(?:number|value|expression))\b){0,30}+"
)
_FORMULA = re.compile(
    r"(?<!\\)\$\$(?P<a>(?:[^$\\]|\\[\s\S]){1,1000}+)\$\$|\\\[(?P<b>(?:[^\\]|\\(?!\])){1,1000})\\\]"
    r"|(?<!\\)\$(?P<c>(?:[^$\\\n]|\\.){1,600}+)\$|\\\((?P<d>(?:[^\\\n]|\\(?!\))){1,600})\\\)"
)
_OVER_LINES = re.compile(r"\$(?P<c>(?:[^$\\]|\\[\s\S]){1,600}+)\$")
"""Only directly behind an announcement, since two prices look the same."""
_LABEL = re.compile(r"^\([a-hA-H]\)\s{1,3}(?!(?:and|or)\b)(?=[\w$(\[-]|\\(?:[dt]?frac|sqrt|text|pi))")
"""The option that stands before its value: `(c) 18`."""
_JOIN = re.compile(r"\s{0,3}(?:,|and\b|or\b|,\s?and\b)\s{0,3}")
_END = re.compile(r"(?<!\\)[.!?。！？](?=\s|[*_]{1,3}(?:\s|$)|$)|[。！？\n]")
_COMMAND = re.compile(r"\\[A-Za-z]{1,30}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FUNCTIONS = frozenset(
    {"sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "exp", "lim", "max", "min", "mod", "gcd", "lcm", "pi"}
)
_LONGEST = 300
_LONGEST_TAIL = 4000


def math_answer(text: str, *, box_first: bool = True) -> Extraction:
    r"""The answer as it is written (LaTeX or plain), several boxes of the last sentence joined by commas.

    Never raises, takes linear time.
    """
    text = visible(text)
    finders = (_boxed, _announced) if box_first else (_announced, _boxed)
    for start, stop in sections(text):
        for find in (*finders, _whole):
            if found := find(text, start, stop):
                return found
    return Extraction.unparsed()


def last_formula(text: str) -> Extraction:
    """A guess: the last formula between dollar signs or LaTeX brackets, outside reasoning."""
    text = visible(text)
    tail = max(0, len(text.rstrip()) - _LONGEST_TAIL)
    last = next(iter(deque(_FORMULA.finditer(text, tail), maxlen=1)), None)
    return Extraction(_content(last), "fallback:last-formula", last.span()) if last else Extraction.unparsed()


def _boxed(text: str, start: int, stop: int) -> Extraction | None:
    section = text[start:stop]
    found = [box for box in boxes(section) if not _PLACEHOLDER.fullmatch(box.content)]
    if found:
        group = last_group(found, section)
        contents = dict.fromkeys(box.content.strip() for box in group)
        return Extraction(", ".join(contents), "box", (start + group[0].span[0], start + group[-1].span[1]))
    last = next(iter(deque(_OPEN_BOX.finditer(text, start, stop), maxlen=1)), None)
    return Extraction(last["x"].rstrip(".,"), "box", last.span()) if last else None


def _announced(text: str, start: int, stop: int) -> Extraction | None:
    limit = stop
    for statement in in_order(text, start, stop, _FORMS):
        span = _statement(text, statement.begin, min(limit, statement.limit))
        limit = min(limit, statement.cue)
        if span:
            return Extraction(_stripped(text[span[0] : span[1]]), statement.form, span)
    return None


def _statement(text: str, start: int, limit: int) -> tuple[int, int] | None:
    """Start and end of what follows a cue: formulas, or the few words of a sentence."""
    limit = min(limit, start + 4 * _LONGEST)
    lead = _LEAD.match(text, start, limit)
    begin = lead.end() if lead else start
    formulas = list(_joined(text, begin, limit))
    if formulas:
        return formulas[0].start(), formulas[-1].end()
    sentence = _END.search(text, begin, limit)
    end = sentence.start() if sentence else limit
    inside = list(_FORMULA.finditer(text, begin, end))
    if len(inside) == 1:
        return inside[0].span()
    return (begin, end) if _is_short(text[begin:end]) else None


def _joined(text: str, begin: int, limit: int) -> Iterator[re.Match[str]]:
    """The formula at `begin` and those that "and", "or" or a comma adds to it."""
    formula = _FORMULA.match(text, begin, limit) or _OVER_LINES.match(text, begin, limit)
    while formula:
        yield formula
        join = _JOIN.match(text, formula.end(), limit)
        formula = _FORMULA.match(text, join.end(), limit) if join else None


def _whole(text: str, start: int, stop: int) -> Extraction | None:
    section = text[start:stop].strip()
    if "\n" in section.strip("$ \n") or "\\boxed" in section or not _is_short(section, most_words=1):
        return None
    begin = text.index(section, start)
    return Extraction(_stripped(section), "whole-text", (begin, begin + len(section)))


def _is_short(statement: str, most_words: int = 3) -> bool:
    """Whether it is an answer rather than a sentence: formulas, numbers and hardly any words."""
    if not statement.strip("*_`$.,:;!? \n") or len(statement) > _LONGEST:
        return False
    words = [word for word in _WORD.findall(_COMMAND.sub(" ", statement)) if word.lower() not in _FUNCTIONS]
    return len(words) <= most_words


def _stripped(statement: str) -> str:
    """Without the dollar signs and the emphasis around the formulas."""
    plain = _FORMULA.sub(_content, _LABEL.sub("", statement.lstrip(" *_"), count=1))
    return plain.strip().strip('*_`"“” ').rstrip(".。,").strip()


def _content(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None).strip()
