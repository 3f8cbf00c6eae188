"""Tasks of LawBench whose answers name labels: letters of options, disputes, events, charges.

All give `score`, from 0 to 100, and `abstention_rate`, the share of samples that name none (arXiv:2309.16289).
"""

import json
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tasks.score.answers.reasoning import without_reasoning
from tasks.score.benchmarks.lawbench.evaluators import left_out, percentages
from tasks.score.interface import BaseEvaluator

_LABELS = Path(__file__).parent / "labels.json"
_LEFT_OUT = "赔偿"
"""A reference of task 2-2 that is no label: the benchmark leaves those rows out."""


class _SingleLabel(BaseEvaluator):
    """Right if the answer names the reference's label and no other."""

    labels: Collection[str] = ()
    before: tuple[str, ...] = ()
    """What stands before the label in a reference."""

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without one of the labels."""
        details = [
            self._detail(without_reasoning(str(prediction)), reference)
            for prediction, reference in zip(predictions, references, strict=True)
        ]
        return percentages([float(detail["correct"]) for detail in details if "correct" in detail], details)

    def _detail(self, text: str, reference: str) -> dict[str, Any]:
        gold, named = self._gold(reference), [label for label in self.labels if label in text]
        return {"pred": named, "answer": gold, "correct": named == [gold]}

    def _gold(self, reference: str) -> str:
        start = next((len(before) for before in self.before if reference.startswith(before)), 0)
        label = reference[start : start + 1] if self.labels and max(map(len, self.labels)) == 1 else reference[start:-1]
        if label not in self.labels:
            raise ValueError(f"the reference {reference!r:.80} has no label of this task")
        return label


class LawBenchEvaluator_1_2(_SingleLabel):  # noqa: N801  OpenCompass's name
    """Questions of the judicial examination, on knowledge: one letter of A to D."""

    labels = "ABCD"
    before = ("正确答案：", "正确答案:")


class LawBenchEvaluator_3_6(LawBenchEvaluator_1_2):  # noqa: N801
    """Questions of the judicial examination, on cases: one letter of A to D."""


class LawBenchEvaluator_2_8(_SingleLabel):  # noqa: N801
    """Which argument of the defence answers one of the prosecution: one letter of A to E."""

    labels = "ABCDE"
    before = ("[正确答案]",)


class LawBenchEvaluator_2_2(_SingleLabel):  # noqa: N801
    """What the parties to a lawsuit dispute: one of 16 kinds."""

    before = ("争议焦点类别：", "争议焦点类别:")

    def __init__(self) -> None:
        self.labels = _labels("disputes")

    def _detail(self, text: str, reference: str) -> dict[str, Any]:
        return left_out(reference) if reference[7:-1] == _LEFT_OUT else super()._detail(text, reference)


class _SeveralLabels(BaseEvaluator):
    """F1 of the labels that the answer names."""

    labels: Collection[str] = ()
    before = ""
    divider = ";"

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without a label."""
        details: list[dict[str, Any]] = []
        for prediction, reference in zip(predictions, references, strict=True):
            text = without_reasoning(str(prediction))
            named, gold = [label for label in self.labels if label in text], self._gold(reference)
            details.append({"pred": named, "answer": gold, "score": 100 * set_f1(named, gold)})
        return percentages([detail["score"] / 100 for detail in details], details)

    def _gold(self, reference: str) -> list[str]:
        gold = reference.removeprefix(self.before).rstrip("。").split(self.divider)
        if not all(gold):
            raise ValueError(f"the reference {reference!r:.80} has no label")
        return gold


class LawBenchEvaluator_2_3(_SeveralLabels):  # noqa: N801
    """What a dispute between husband and wife is about: some of 20 kinds."""

    before, divider = "类别:", "、"

    def __init__(self) -> None:
        self.labels = _labels("marriage")


class LawBenchEvaluator_2_9(_SeveralLabels):  # noqa: N801
    """What happened: some of 20 kinds of events."""

    def __init__(self) -> None:
        self.labels = _labels("events")


class LawBenchEvaluator_3_3(_SeveralLabels):  # noqa: N801
    """Which charges the facts bear out."""

    before = "罪名:"

    def __init__(self) -> None:
        self.labels = _labels("charges")


def set_f1(named: Collection[Any], gold: Collection[Any]) -> float:
    """From 0 to 1; two empty sets do not agree."""
    common = len(set(named) & set(gold))
    return 2 * common / (len(set(named)) + len(set(gold))) if common else 0.0


@cache
def _labels(name: str) -> tuple[str, ...]:
    return tuple(json.loads(_LABELS.read_text(encoding="utf-8"))[name])
