"""Evaluators of what an answer names of the texts it should: RULER and NeedleBench.

Texts are compared as whole words, in any case: 12 is not found in 312.
"""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from tasks.score.answers.reasoning import without_reasoning
from tasks.score.answers.words import answer_words, holds
from tasks.score.evaluators.comparison import ComparingEvaluator, golds_of, paired


class RecallEvaluator(ComparingEvaluator):
    """`score`: the mean share of the reference's texts that the answer names, from 0 to 100."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without texts."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            golds = golds_of(reference, number)
            words = answer_words(without_reasoning(str(prediction)))
            named = [gold for gold in golds if holds(words, answer_words(gold))]
            details.append({"pred": named, "answer": golds, "score": self.share(named, golds)})
        scores = [detail["score"] for detail in details]
        return {"score": fmean(scores) if scores else 0.0, "details": details}

    def share(self, named: Sequence[str], golds: Sequence[str]) -> float:
        """From 0 to 100."""
        return 100 * len(named) / len(golds)


class RulerNiahEvaluator(RecallEvaluator):
    """Needles."""


class RulerVtEvaluator(RecallEvaluator):
    """Variables."""


class RulerCweEvaluator(RecallEvaluator):
    """Common words."""


class RulerFweEvaluator(RecallEvaluator):
    """Frequent words."""


class RulerQaEvaluator(RecallEvaluator):
    """Questions, whose references are alternatives: one of them is enough."""

    def share(self, named: Sequence[str], golds: Sequence[str]) -> float:
        return 100.0 if named else 0.0


class NeedleBenchOriginEvaluator(RecallEvaluator):
    """One fact."""


class NeedleBenchParallelEvaluator(RecallEvaluator):
    """Several facts."""


class NeedleBenchMultiEvaluator(RecallEvaluator):
    """A chain of facts."""
