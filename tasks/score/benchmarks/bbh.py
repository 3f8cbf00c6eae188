"""Evaluators of BIG-Bench Hard (Suzgun et al. 2022, arXiv:2210.09261): the answer equals the reference."""

from collections.abc import Sequence
from typing import Any

from tasks.score.answers.bbh import bbh_freeform_postprocess
from tasks.score.answers.number_text import exact
from tasks.score.interface import BaseEvaluator


class BBHEvaluator(BaseEvaluator):
    """`score`: the short answers are the same text in any case, or the same number."""

    def __init__(self, pred_postprocessor: dict[str, Any] | None = None) -> None:
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Answers are taken from both sides by `bbh_freeform_postprocess`, which leaves a short answer as it is."""
        pairs = [(_answer(p), _answer(r)) for p, r in zip(predictions, references, strict=True)]
        return _scored(pairs, [_equal(*pair) for pair in pairs])


class BBHEvaluator_mcq(BaseEvaluator):  # noqa: N801 configurations import it by this name
    """`score`: the letters are the same."""

    def __init__(self, pred_postprocessor: dict[str, Any] | None = None) -> None:
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        pairs = list(zip(predictions, references, strict=True))
        return _scored(pairs, [prediction == reference for prediction, reference in pairs])


def _scored(pairs: Sequence[tuple[Any, Any]], verdicts: Sequence[bool]) -> dict[str, Any]:
    details = [
        {"pred": prediction, "answer": reference, "correct": verdict}
        for (prediction, reference), verdict in zip(pairs, verdicts, strict=True)
    ]
    return {"score": 100 * sum(verdicts) / len(verdicts) if verdicts else 0.0, "details": details}


def _answer(value: Any) -> str:
    return bbh_freeform_postprocess(str(value)).answer or ""


def _equal(prediction: str, reference: str) -> bool:
    if prediction.casefold() == reference.casefold():
        return bool(reference)
    number = exact(prediction)
    return number is not None and number == exact(reference)
