"""What evaluators share that compare a prediction with a reference."""

from collections.abc import Sequence
from typing import Any

from tasks.score.interface import BaseEvaluator


class ComparingEvaluator(BaseEvaluator):
    """Takes the option `pred_postprocessor`, which scoring applies to the predictions after the dataset's own."""

    takes_probabilities = False
    """Whether `score` wants the probabilities that CLPInferencer stores; else it gets the likeliest label."""

    def __init__(self, pred_postprocessor: dict[str, Any] | None = None) -> None:
        self.pred_postprocessor = pred_postprocessor


def paired(predictions: Sequence[Any], references: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Predictions with their references; ValueError for several answers per sample, or different lengths."""
    if any(isinstance(prediction, list) for prediction in predictions):
        raise ValueError(
            "predictions hold several answers per sample; to ask every row n times, set n=… on the dataset"
        )
    return list(zip(predictions, references, strict=True))


def golds_of(reference: Any, number: int) -> list[str]:
    """The accepted answers of a reference, which is one or a list of them; ValueError if there is none."""
    golds = [str(gold) for gold in (reference if isinstance(reference, list | tuple) else [reference])]
    if not any(gold.strip() for gold in golds):
        raise ValueError(f"reference {number} is empty")
    return golds


def percentage(verdicts: Sequence[Any]) -> float:
    """The share of true ones, from 0 to 100."""
    return 100 * sum(map(bool, verdicts)) / len(verdicts) if verdicts else 0.0


def scored(metric: str, details: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The share of `correct` details under the metric's name, and the details."""
    return {metric: percentage([detail["correct"] for detail in details]), "details": list(details)}
