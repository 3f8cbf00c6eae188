"""Reads a judge's grade (A: correct, B: incorrect, C: not attempted) from what it said, its last word first."""

import re
from collections.abc import Iterator

from tasks.score.answers.reasoning import without_reasoning

_WORDS = {
    "CORRECT": "A", "正确": "A",
    "INCORRECT": "B", "NOT_CORRECT": "B", "WRONG": "B", "错误": "B", "不正确": "B",
    "NOT_ATTEMPTED": "C",
}  # fmt: skip
_WORD = r"NOT[ _-]ATTEMPTED|NOT[ _-]CORRECT|INCORRECT|CORRECT|WRONG|不正确|正确|错误"
# All repetitions that begin a pattern are bounded: what judges write may be a megabyte of blanks.
_QUOTES = r"*_`'\"“”(\[{（【<"
_MARKS = rf"[\s{_QUOTES}]{{0,12}}"
_END = r"(?![A-Za-z0-9'’])"
_GRADE = rf"(?P<grade>[ABC]{_END}|(?i:{_WORD}){_END})"
_JUDGMENT = r"(?i:\b(?:verdict|judge?ment|grade|grading|decision|conclusion|ruling)|判断结果|判断|结论|评级|判定)"
_SAYS = r"[\s*_`'\"”]{0,6}(?:(?i:\bis\b|\bas\b|would be)|[:：=]|为|是){1,2}"
_CLOSING = r"[\s*_`'\"”)\]}）】>.。!]*"
_ANCHORED = re.compile(rf"{_JUDGMENT}{_SAYS}{_MARKS}{_GRADE}")
_BOXED = re.compile(rf"(?:\\boxed ?{{|\[\[)(?:\\text\w{{0,2}} ?{{)?{_MARKS}{_GRADE}")
_SPELLED = re.compile(
    rf"(?<![A-Za-z0-9'’])(?P<grade>[ABC])[*_`'\")\]]{{0,4}} ?[:：.)–-][\s*_`]{{0,4}}(?P<word>(?i:{_WORD})){_END}"
)
_SHOUTED = re.compile(r"(?<![A-Za-z_-])(?P<grade>NOT[ _](?:ATTEMPTED|CORRECT)|INCORRECT|CORRECT)(?![A-Za-z_])")
_LINE = re.compile(rf"^[ \t{_QUOTES}]{{0,12}}{_GRADE}{_CLOSING}$", re.MULTILINE)
_HEAD = re.compile(rf"\A{_MARKS}(?P<grade>[ABC])[*_`'\")\]]{{0,4}}\s?(?:[:：.,;)–-]|\n)")
_ANSWER = re.compile(
    rf"(?i:\banswer|答案)[ *_`]{{0,4}}(?:[:：]|(?i:\bis\b)|是|为){_MARKS}{_GRADE}{_CLOSING}$", re.MULTILINE
)
_OFFERS_C = re.compile(r"\bC\b[\s:：.)\"'`*=-]{1,6}(?i:NOT[ _-]?ATTEMPTED|未作答|未尝试)|\bNOT_ATTEMPTED\b")
_LETTERS = "ABC"


def grades_offered(prompt: str) -> str:
    """The letters that a prompt for a judge lets it choose from: `AB`, or `ABC` where C is "not attempted"."""
    return "ABC" if _OFFERS_C.search(prompt) else "AB"


def grade_of(text: str, letters: str = "AB") -> str | None:
    """The letter the judge ends with; None if there is no grade to be read, or only the choices are repeated.

    What is said in reasoning does not count. Of statements that name a grade as such the last one holds; without any,
    a letter that the text begins with, then a final `Answer: A`.
    """
    text = without_reasoning(text)
    spelled = list(_SPELLED.finditer(text))
    unspelled = _SPELLED.sub(lambda match: " " * len(match[0]), text)
    stated = sorted(_stated(unspelled, [] if _is_list_of_choices(text, spelled) else spelled))
    if stated:
        return _allowed(stated[-1][1], letters)
    for pattern in (_HEAD, _ANSWER):
        matches = list(pattern.finditer(unspelled))
        if matches:
            return _allowed(_letter(matches[-1]["grade"]), letters)
    return None


def _stated(text: str, spelled: list[re.Match[str]]) -> Iterator[tuple[int, str]]:
    """Where each statement of a grade ends, and its letter."""
    for match in spelled:
        yield match.end(), _letter(match["word"])  # `it chose A: INCORRECT` is no A
    for pattern in (_ANCHORED, _BOXED, _LINE, _SHOUTED):
        for match in pattern.finditer(text):
            yield match.end(), _letter(match["grade"])


def _is_list_of_choices(text: str, spelled: list[re.Match[str]]) -> bool:
    """Whether several grades stand one right behind the other, as a prompt lists them."""
    if len({match["grade"] for match in spelled}) < 2:
        return False
    between = text[spelled[-2].end() : spelled[-1].start()]
    return len(between.strip(" \n\t,;/|*-`\"'.")) <= 2


def _letter(grade: str) -> str:
    return grade if grade in _LETTERS else _WORDS[re.sub(r"[ -]", "_", grade.upper())]


def _allowed(letter: str, letters: str) -> str | None:
    return letter if letter in letters else None
