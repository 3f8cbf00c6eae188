"""What a judge's text says, read from its end; nothing is guessed: a text without a verdict has none."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tasks.score.answers.reasoning import without_reasoning

_NUMBER = r"(\d+(?:\.\d+)?)"
_BRACKETED = re.compile(r"\[\[([^\[\]]+)\]\]")
_NAMED_NUMBER = re.compile(
    rf"(?:\b(?:rating|score|grade)\b|评分|得分|分数)[\s*_:：=\"'(]{{1,12}}(?:(?:is|of)\b[\s*_:：\"'(]{{1,6}})?{_NUMBER}",
    re.IGNORECASE,
)
_DECORATION = " \t*_`\"'()[]{}.,:：。#>"
_ANCHOR = r"\b(?:verdict|answer|choice|winner|decision|better)\b[\s*_:：=\"'(]{1,12}(?:is\b[\s*_:：\"'(]{1,6})?"


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
    """Ratings from `low` to `high`: the last number in double brackets, else the last one that is called a rating."""

    def read(text: str) -> Verdict | None:
        said = without_reasoning(text)
        bracketed = [label for label in _in_brackets(said) if re.fullmatch(_NUMBER, label)]
        found = bracketed or _NAMED_NUMBER.findall(said)
        return Verdict(found[-1], float(found[-1])) if found and low <= float(found[-1]) <= high else None

    return Scale(read, {(True,): Verdict(f"{low:g}", low)}, is_ordered=True)


def preference_scale(verdicts: Sequence[Verdict]) -> Scale:
    """Which of two answers is better; the first is shown first."""
    by_label = {verdict.label: verdict for verdict in verdicts}
    longest_first = sorted(by_label, key=len, reverse=True)
    labels = "|".join(map(re.escape, longest_first))
    named = re.compile(rf"(?i:{_ANCHOR})({labels})[\s*_`\"')\].!]{{0,12}}$", re.MULTILINE)

    def read(text: str) -> Verdict | None:
        said = without_reasoning(text)
        bracketed = [label for label in _in_brackets(said) if label in by_label]
        lines = [line.strip(_DECORATION) for line in said.splitlines()]
        last = next((line for line in reversed(lines) if line), "")
        found = bracketed or [last] * (last in by_label) or named.findall(said)
        return by_label[found[-1]] if found else None

    plain = {verdict.value: verdict for verdict in verdicts if verdict.weight == 1}
    return Scale(read, {(True, False): plain[0.0], (False, True): plain[1.0], (True, True): plain[0.5]})


def _in_brackets(text: str) -> list[str]:
    return [label.strip() for label in _BRACKETED.findall(text)]
