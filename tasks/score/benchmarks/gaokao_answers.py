"""The answers that a text gives to several questions, each for itself: a question without an answer has None."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tasks.score.answers.option import option_answer
from tasks.score.answers.option_patterns import fold
from tasks.score.answers.reasoning import mask_reasoning

_MARK = re.compile(r"【答案】")
_CUE = re.compile(r"【答案】|答案(?:是|为|选)?[::]?|(?i:\banswers?)(?i:\s(?:is|are))?[::]?")
_GAP = r"(?:[\s,.;:、。()\[\]{}*_#\"'【】<>/\-→~]|\d|第|小题|题|选|and|和|eoa|eoe)"
_LETTER = re.compile(r"[A-G]")
_NUMBERED = re.compile(r"(?P<number>\d{1,3})[\s.:、。)*_题]{1,6}(?P<letter>[A-G])(?![A-Za-z])")
_CHINESE_DIGITS = "一二三四五六七八九"
_LABEL = re.compile(
    rf"^[\s*_#]{{0,6}}(?:[(【\[第]\s?)?(?P<number>\d{{1,3}}|[{_CHINESE_DIGITS}])\s?(?:[)】\].:、。]|小?题)(?!\d)",
    re.MULTILINE,
)
_MOST_CUES = 64
_MOST_LABELS = 256


class Answers(NamedTuple):
    """The letter of each question, None where the text gives none, and the rule that found them."""

    letters: tuple[str | None, ...]
    rule: str

    @property
    def found(self) -> int:
        """How many questions have an answer."""
        return sum(letter is not None for letter in self.letters)


def answers_in_order(text: str, count: int, options: str = "ABCDEFG") -> Answers:
    """The answers to `count` questions; all None, with the rule `unparsed`, where none can be told.

    They are read from one list behind a mark ("答案：A C B", "1. A 2. C 3. B"), from the part of the text that a
    question's number begins, or from a mark for each question (`【答案】A …【答案】C`). A list that is too short
    answers the first questions; one that is too long answers none, as its order cannot be told.
    """
    text = fold(mask_reasoning(text))
    run = re.compile(rf"(?:{_GAP}{{0,20}}+[{options}](?![a-z])){{1,40}}")
    cues = list(_CUE.finditer(text))[-_MOST_CUES:]
    lists = [found for cue in reversed(cues) if (found := _run_at(text, cue.end(), run))]
    for found in (*lists, _run_at(text, _last_line(text), run)):
        if len(letters := _LETTER.findall(found)) == count:
            return Answers(tuple(letters), "answers-in-order")
    for answers in (_by_number(text, count, options), _by_mark(text, count, options)):
        if answers and answers.found:
            return answers
    if len(lists) == count:
        return Answers(tuple(_LETTER.findall(found)[0] for found in reversed(lists)), "answer-each")
    return _from_short_list(lists[0], count) if lists and len(lists) < count else _none(count)


def _none(count: int) -> Answers:
    return Answers((None,) * count, "unparsed")


def _run_at(text: str, start: int, run: re.Pattern[str]) -> str:
    """The text from `start` on that holds letters and only marks and numbers between them."""
    match = run.match(text, start)
    return match[0] if match else ""


def _last_line(text: str) -> int:
    return text.rfind("\n", 0, len(text.rstrip())) + 1


def _by_number(text: str, count: int, options: str) -> Answers | None:
    """The answer in each of the parts that begin with the questions' numbers, one after the other."""
    labels = [(_value(match["number"]), match.start(), match.end()) for match in _LABEL.finditer(text)][-_MOST_LABELS:]
    for first in range(len(labels) - count, -1, -1):
        own = labels[first : first + count]
        if count > 1 and all(after[0] == before[0] + 1 for before, after in pairwise(own)):
            ends = [start for _, start, _ in own[1:]] + [len(text)]
            return _parts([text[begin:end] for (_, _, begin), end in zip(own, ends, strict=True)], options, "by-number")
    return None


def _value(number: str) -> int:
    return int(number) if number.isdecimal() else _CHINESE_DIGITS.index(number) + 1


def _by_mark(text: str, count: int, options: str) -> Answers | None:
    """The answer behind each of exactly `count` marks."""
    starts = [mark.start() for mark in _MARK.finditer(text)]
    if len(starts) != count:
        return None
    ends = [*starts[1:], len(text)]
    return _parts([text[start:end] for start, end in zip(starts, ends, strict=True)], options, "by-mark")


def _parts(parts: Sequence[str], options: str, rule: str) -> Answers:
    return Answers(tuple(option_answer(part, options, last_wins=True).answer for part in parts), f"answer-{rule}")


def _from_short_list(found: str, count: int) -> Answers:
    """A list that names fewer answers than there are questions: by their numbers if it has them, else the first."""
    letters = _LETTER.findall(found)
    if len(letters) > count:
        return _none(count)
    numbered = {int(match["number"]): match["letter"] for match in _NUMBERED.finditer(found)}
    if len(numbered) == len(letters):
        first = 1 if max(numbered) <= count else min(numbered)
        if max(numbered) - first < count:
            return Answers(tuple(numbered.get(first + place) for place in range(count)), "answers-by-number")
        return _none(count)
    return Answers((*letters, *[None] * (count - len(letters))), "answers-in-order")
