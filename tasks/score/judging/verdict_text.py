"""Reads a judge's grade (A: correct, B: incorrect, C: not attempted) from what it said."""

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
_FIRST_LINE = re.compile(rf"\A{_MARKS}{_GRADE}{_CLOSING}(?:\n|\Z)")
_BESIDE = r"(?:(?:(?i:\bor\b|\band\b)|[/,、|]|或者?|和)\s{0,3}){1,2}(?i:else|rather|maybe|perhaps)?"
_ALTERNATIVE = re.compile(rf"{_CLOSING}{_BESIDE}{_MARKS}{_GRADE}")
_OFFERS_C = re.compile(r"\bC\b[\s:：.)\"'`*=-]{1,6}(?i:NOT[ _-]?ATTEMPTED|未作答|未尝试)|\bNOT_ATTEMPTED\b")
_LETTERS = "ABC"


def grades_offered(prompt: str) -> str:
    """The letters that a prompt for a judge lets it choose from: `AB`, or `ABC` where C is "not attempted"."""
    return "ABC" if _OFFERS_C.search(prompt) else "AB"


def grade_of(text: str, letters: str = "AB") -> str | None:
    """The letter that the judge gives; None if there is no grade to be read, or only the choices are repeated.

    SimpleQA (simple-evals, `simpleqa_eval.py`) and OpenCompass (`datasets/generic.py`) ask for one letter and nothing
    else, and take the first A, B or C anywhere in the reply, even within a word. Here, too, a first line that is
    nothing but a grade counts, whatever follows. Without one, of statements that name a grade as such the last one
    holds, then a letter that the text begins with, then a final `Answer: A`. Grades offered as alternatives ("A or B")
    are none, and what is said in reasoning does not count.
    """
    text = without_reasoning(text)
    if first := _FIRST_LINE.match(text):
        second = _FIRST_LINE.match(text[first.end() :].lstrip("\n"))
        is_list = second is not None and _letter(second["grade"]) != _letter(first["grade"])
        return None if is_list else _allowed(_letter(first["grade"]), letters)
    spelled = list(_SPELLED.finditer(text))
    unspelled = _SPELLED.sub(lambda match: " " * len(match[0]), text)
    stated = sorted(_stated(unspelled, [] if _is_list_of_choices(text, spelled) else spelled))
    if stated:
        return _of_last(stated, text, letters)
    for pattern in (_HEAD, _ANSWER):
        matches = list(pattern.finditer(unspelled))
        if matches:
            return _of_last([(matches[-1].end("grade"), _letter(matches[-1]["grade"]))], text, letters)
    return None


def _of_last(stated: list[tuple[int, str]], text: str, letters: str) -> str | None:
    """The grade of the last statement, unless another one stands beside it as an alternative."""
    end, letter = stated[-1]
    ends = [end, *(before for before, other in stated[-8:-1] if other != letter)]
    for place in ends:
        other = _ALTERNATIVE.match(text, place)
        if other and (_letter(other["grade"]) != letter or place != end):
            return None
    return _allowed(letter, letters)


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
