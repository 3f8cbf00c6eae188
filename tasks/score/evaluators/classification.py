"""Evaluators of classifiers, by scikit-learn: Matthews' correlation and the area under the ROC curve."""

from collections.abc import Sequence
from typing import Any

from tasks.score.evaluators.comparison import ComparingEvaluator, paired, percentage


class MccEvaluator(ComparingEvaluator):
    """`matthews_correlation`, -100 to 100; an answer that is none of the references' labels is a class of its own."""

    libraries = ("scikit-learn",)

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        from sklearn.metrics import matthews_corrcoef

        pairs = [(str(prediction), str(reference)) for prediction, reference in paired(predictions, references)]
        details = [{"pred": one, "answer": other, "correct": one == other} for one, other in pairs]
        value = matthews_corrcoef([other for _, other in pairs], [one for one, _ in pairs])
        return {"matthews_correlation": 100 * float(value), "details": details}


class AUCROCEvaluator(ComparingEvaluator):
    """`auc_score` and `accuracy`, 0 to 100, from one list of probabilities per sample, as CLPInferencer stores them.

    References are labels, or their positions from 0 on.
    """

    libraries = ("scikit-learn",)
    takes_probabilities = True

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], choices: Sequence[Any] | None = None
    ) -> dict[str, Any]:
        """ValueError for predictions that are no probabilities, labels without one, or labels that are all the same."""
        from sklearn.metrics import roc_auc_score

        options = choices or [None] * len(references)
        labels = [
            _label(reference, own, number)
            for number, (reference, own) in enumerate(zip(references, options, strict=True))
        ]
        rows = [_probabilities(prediction, number) for number, prediction in enumerate(predictions)]
        classes = len(rows[0]) if rows else 0
        if any(len(row) != classes for row in rows) or any(label >= classes for label in labels):
            raise ValueError(f"every sample needs one probability for each label; the first has {classes}")
        if len(set(labels)) < 2:
            raise ValueError("all references are the same label: there is no curve")
        scores: Any = [row[1] for row in rows] if classes == 2 else rows
        kwargs: dict[str, Any] = {} if classes == 2 else {"multi_class": "ovr", "labels": list(range(classes))}
        details = [
            {"pred": max(range(classes), key=row.__getitem__), "answer": label, "probabilities": row}
            for row, label in zip(rows, labels, strict=True)
        ]
        for detail in details:
            detail["correct"] = detail["pred"] == detail["answer"]
        accuracy = percentage([detail["correct"] for detail in details])
        return {
            "auc_score": 100 * float(roc_auc_score(labels, scores, **kwargs)),
            "accuracy": accuracy,
            "details": details,
        }


def _label(reference: Any, choices: Any, number: int) -> int:
    names = [str(choice).strip() for choice in choices or ()]
    try:
        label = names.index(str(reference).strip()) if str(reference).strip() in names else int(reference)
    except (TypeError, ValueError):
        label = -1
    if label < 0:
        one_of = f"none of the labels {', '.join(names)}, and " if names else ""
        raise ValueError(f"reference {number} is {one_of}no label from 0 on: {reference!r:.80}")
    return label


def _probabilities(prediction: Any, number: int) -> list[float]:
    if (
        isinstance(prediction, list)
        and len(prediction) > 1
        and all(isinstance(value, int | float) for value in prediction)
    ):
        return [float(value) for value in prediction]
    raise ValueError(f"prediction {number} is no list of probabilities: {prediction!r:.80}")
