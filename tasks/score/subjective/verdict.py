"""What a judge's text says, read where the benchmark's protocol puts it: nothing else in the text is a verdict."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tasks.score.answers.reasoning import without_reasoning

_NUMBER = r"\d+(?:\.\d*)?"
_BRACKETED = re.compile(r"\[\[([^\[\]\n]{1,40})\]\]")
_SINGLE_BRACKETED = re.compile(r"(?<!\[)\[([^\[\]\n]{1,40})\](?!\])")
_RATING_LINE = re.compile(
    rf"^[\s*_#>]{{0,8}}(?:(?:rating|score|评分|得分)[\s*_]{{0,4}}[:：]?[\s*_]{{0,4}})?\[({_NUMBER})\][\s*_.]{{0,4}}$",
    re.IGNORECASE | re.MULTILINE,
)
_EXAMPLE = re.compile(
    r"(?:\bexample|\be\.g\.|\binstance|\bsuch as|\blike (?:this|so)|\bformat|\bform|例如|比如|如)"
    r"[\s:,：，\"'“‘`*(（]{0,6}(?:rating[\s*:：]{0,4})?$",
    re.IGNORECASE,
)
_DECORATION = " \t*_`\"'()[]{}.,:：。#>"


class Verdict(NamedTuple):
    """What a judge decided."""

    label: str
    """As the judge wrote it, e.g. `7`, `m`, `A>>B`."""
    value: float
    """The rating; of two answers, which share of the win goes to the one shown first, from 0 to 1."""
    weight: float = 1.0
    """How often it counts: a clear win more than once where the benchmark says so."""


@dataclass(frozen=True)
class Scale:
    """The verdicts that a benchmark's judges can give."""

    read: Callable[[str], Verdict | None]
    """The verdict of a judge's text; None if it gives none."""
    without_asking: Mapping[tuple[bool, ...], Verdict]
    """What is certain where answers are empty: by whether each answer is, in the order in which they are shown."""
    is_ordered: bool = False
    """Whether labels are numbers."""


def rating_scale(low: float, high: float) -> Scale:
    """Ratings from `low` to `high` as MT-Bench reads them: the first number in double brackets.

    That is the rule of the authors' code (FastChat, `llm_judge/common.py`, `one_score_pattern`, and its second pattern
    for single brackets, which here must stand on a line alone): what the judge writes behind its rating, say a better
    answer with a rating of its own, does not count. Stricter than theirs: different ratings on one line, a first
    rating off the scale, and the prompt's example repeated are no verdict.
    """

    def read(text: str) -> Verdict | None:
        label = _first_rating(without_reasoning(text))
        return Verdict(label, float(label)) if label and low <= float(label) <= high else None

    return Scale(read, {(True,): Verdict(f"{low:g}", low)}, is_ordered=True)


def preference_scale(
    verdicts: Sequence[Verdict], *, spellings: Mapping[str, str] | None = None, bare: bool = False
) -> Scale:
    """Which of two answers is better; the first is shown first.

    Labels stand in double brackets, else in single ones; different labels contradict each other and are no verdict.
    `spellings` are other forms of labels. With `bare`, a label may also stand alone: as the whole first or last line.
    """
    by_label = {verdict.label: verdict for verdict in verdicts}
    known = {**{label: label for label in by_label}, **(spellings or {})}

    def read(text: str) -> Verdict | None:
        said = without_reasoning(text)
        found = _labels(_BRACKETED, said, known) or _labels(_SINGLE_BRACKETED, said, known)
        if not found and bare:
            lines = [stripped for line in said.splitlines() if (stripped := line.strip(_DECORATION))]
            found = {known[line] for line in (*lines[:1], *lines[-1:]) if line in known}
        return by_label[found.pop()] if len(found) == 1 else None

    plain = {verdict.value: verdict for verdict in verdicts if verdict.weight == 1}
    return Scale(read, {(True, False): plain[0.0], (False, True): plain[1.0], (True, True): plain[0.5]})


def _first_rating(text: str) -> str | None:
    """The first label in brackets that has a digit and is no example; None if its line has another one."""
    for first in _BRACKETED.finditer(text):
        if not any(character.isdigit() for character in first[1]) or _is_example(text, first.start()):
            continue
        end = text.find("\n", first.end())
        others = _BRACKETED.findall(text, first.end(), len(text) if end < 0 else end)
        label = first[1].strip()
        alone = all(other.strip() == label for other in others if any(map(str.isdigit, other)))
        return label if alone and re.fullmatch(_NUMBER, label, re.ASCII) else None
    line = _RATING_LINE.search(text)
    return line[1] if line else None


def _is_example(text: str, start: int) -> bool:
    return _EXAMPLE.search(text[max(0, start - 40) : start]) is not None


def _labels(brackets: re.Pattern[str], text: str, known: Mapping[str, str]) -> set[str]:
    """The different labels that the text has in such brackets."""
    return {known[label] for match in brackets.finditer(text) if (label := match[1].strip()) in known}
