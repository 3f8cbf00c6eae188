"""The evaluators a configuration can name, for answers that are right or wrong by comparison.

Each takes the option `pred_postprocessor`, which scoring applies to the predictions after the dataset's own.
"""

from collections.abc import Sequence
from typing import Any

from tasks.score.interface import BaseEvaluator
from tasks.score.number_text import exact


class _Comparison(BaseEvaluator):
    def __init__(self, pred_postprocessor: dict[str, Any] | None = None) -> None:
        self.pred_postprocessor = pred_postprocessor


class Gsm8kEvaluator(_Comparison):
    """`accuracy`: prediction and reference are the same number, compared exactly (`29.00` = `29`, `1/2` = `0.5`)."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is no number, or for several answers per sample."""
        details: list[dict[str, Any]] = []
        for prediction, reference in _paired(predictions, references):
            gold = exact(str(reference))
            if gold is None:
                raise ValueError(f"reference {len(details)} is no number: {reference!r:.80}")
            correct = exact(str(prediction)) == gold
            details.append({"pred": prediction, "answer": reference, "correct": correct})
        return {"accuracy": _percentage([detail["correct"] for detail in details]), "details": details}


class AccEvaluator(_Comparison):
    """`accuracy`: prediction and reference are equal as text."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for several answers per sample."""
        details = [
            {"pred": prediction, "answer": reference, "correct": str(prediction) == str(reference)}
            for prediction, reference in _paired(predictions, references)
        ]
        return {"accuracy": _percentage([detail["correct"] for detail in details]), "details": details}


class AccwithDetailsEvaluator(_Comparison):
    """`accuracy`: prediction and reference are equal values; details hold the prompt as well."""

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], origin_prompt: Sequence[Any]
    ) -> dict[str, Any]:
        details = [
            {"prompt": prompt, "pred": prediction, "refr": reference, "is_correct": prediction == reference}
            for prompt, prediction, reference in zip(origin_prompt, predictions, references, strict=True)
        ]
        return {"accuracy": _percentage([detail["is_correct"] for detail in details]), "details": details}


def _paired(predictions: Sequence[Any], references: Sequence[Any]) -> list[tuple[Any, Any]]:
    if any(isinstance(prediction, list) for prediction in predictions):
        raise ValueError(
            "predictions hold several answers per sample; to ask every row n times, set n=… on the dataset"
        )
    return list(zip(predictions, references, strict=True))


def _percentage(verdicts: Sequence[bool]) -> float:
    return 100 * sum(verdicts) / len(verdicts) if verdicts else 0.0
