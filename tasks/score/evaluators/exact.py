"""Evaluators for answers that equal the reference, or do not."""

from collections.abc import Sequence
from typing import Any

from tasks.score.answers.number_text import exact
from tasks.score.evaluators.comparison import ComparingEvaluator, paired, percentage


class Gsm8kEvaluator(ComparingEvaluator):
    """`accuracy`: prediction and reference are the same number, compared exactly (`29.00` = `29`, `1/2` = `0.5`)."""

    def __init__(self, tolerance: float = 0.0, pred_postprocessor: dict[str, Any] | None = None) -> None:
        """Numbers count as the same that differ by no more than `tolerance`."""
        super().__init__(pred_postprocessor)
        self.tolerance = tolerance

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is not a number, or for several answers per sample."""
        details: list[dict[str, Any]] = []
        for prediction, reference in paired(predictions, references):
            gold = exact(str(reference))
            if gold is None:
                raise ValueError(f"reference {len(details)} is not a number: {reference!r:.80}")
            number = exact(str(prediction))
            correct = number is not None and abs(number - gold) <= self.tolerance
            details.append({"pred": prediction, "answer": reference, "correct": correct})
        return {"accuracy": percentage([detail["correct"] for detail in details]), "details": details}


class AccEvaluator(ComparingEvaluator):
    """`accuracy`: prediction and reference are equal as text."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for several answers per sample."""
        details = [
            {"pred": prediction, "answer": reference, "correct": str(prediction) == str(reference)}
            for prediction, reference in paired(predictions, references)
        ]
        return {"accuracy": percentage([detail["correct"] for detail in details]), "details": details}


class AccwithDetailsEvaluator(ComparingEvaluator):
    """`accuracy`: prediction and reference are equal values; details hold the prompt as well."""

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], origin_prompt: Sequence[Any]
    ) -> dict[str, Any]:
        details = [
            {"prompt": prompt, "pred": prediction, "refr": reference, "is_correct": prediction == reference}
            for prompt, prediction, reference in zip(origin_prompt, predictions, references, strict=True)
        ]
        return {"accuracy": percentage([detail["is_correct"] for detail in details]), "details": details}
