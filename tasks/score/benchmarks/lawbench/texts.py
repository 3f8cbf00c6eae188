"""Tasks of LawBench whose answers are texts, compared by words or by characters: `score`, from 0 to 100."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from tasks.score.answers.reasoning import without_reasoning
from tasks.score.benchmarks.lawbench.evaluators import character_f1
from tasks.score.evaluators.comparison import ComparingEvaluator
from tasks.score.evaluators.overlap import mean_rouge
from tasks.score.interface import BaseEvaluator

_AGAINST_ZERO = 1e-10
"""Part of the benchmark's formula for F1."""


class _Overlap(ComparingEvaluator):
    """ROUGE-L over Chinese words and signs."""

    libraries = ("rapidfuzz", "jieba")

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for an empty reference."""
        golds = [str(reference).removeprefix("答案:") for reference in references]
        texts = [without_reasoning(str(prediction)) for prediction in predictions]
        result = mean_rouge("tasks.score.evaluators.rouge.rouge_l_of_chinese", texts, golds)
        return {"score": result["rougeL"], "details": result["details"]} if result else {}


class LawBenchEvaluator_1_1(_Overlap):  # noqa: N801  OpenCompass's name
    """An article of the law by heart."""


class LawBenchEvaluator_2_7(_Overlap):  # noqa: N801
    """A summary of what the public says."""


class LawBenchEvaluator_3_2(_Overlap):  # noqa: N801
    """The article that a situation falls under."""


class LawBenchEvaluator_3_8(_Overlap):  # noqa: N801
    """Advice to a layman."""


class LawBenchEvaluator_2_5(BaseEvaluator):  # noqa: N801
    """Questions on a judgement: F1 of the answer's characters."""

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        details: list[dict[str, Any]] = []
        for prediction, reference in zip(predictions, references, strict=True):
            text, gold = without_reasoning(str(prediction)), reference.removeprefix("回答:")
            details.append({"pred": text, "answer": gold, "score": 100 * character_f1(text, gold)})
        return _mean(details)


class LawBenchEvaluator_2_10(BaseEvaluator):  # noqa: N801
    """Words that tell of an event, divided by semicolons: F1, each counted by how well its characters agree."""

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        details: list[dict[str, Any]] = []
        for prediction, reference in zip(predictions, references, strict=True):
            named, gold = without_reasoning(str(prediction)).split(";"), reference.split(";")
            # The benchmark compares the words one by one in their order.
            agreement = sum(character_f1(ours, theirs) for ours, theirs in zip(named, gold, strict=False))
            precision, recall = agreement / len(named), agreement / len(gold)
            score = 200 * precision * recall / (precision + recall + _AGAINST_ZERO)
            details.append({"pred": named, "answer": gold, "score": score})
        return _mean(details)


def _mean(details: list[dict[str, Any]]) -> dict[str, Any]:
    return {"score": fmean(detail["score"] for detail in details) if details else 0.0, "details": details}
