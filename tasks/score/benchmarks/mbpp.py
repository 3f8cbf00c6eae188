"""Evaluators of MBPP (Austin et al. 2021, arXiv:2108.07732), whole or sanitized."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.mbpp import mbpp_answer
from tasks.score.evaluators.programs import Judged, judge
from tasks.score.interface import BaseEvaluator
from tasks.score.metrics.pass_at_k import pass_metrics
from tasks.score.sandbox.program import Limits, Program, Verdict
from tasks.score.sandbox.runner import CodeRunner

_COUNTED = {
    "pass": (Verdict.PASSED,),
    "timeout": (Verdict.TIMEOUT,),
    "failed": (Verdict.FAILED, Verdict.REFUSED),
    "wrong_answer": (Verdict.WRONG_ANSWER,),
}
"""Metrics that count programs, and the verdicts each counts."""


class MBPPEvaluator(BaseEvaluator):
    """`score`: the program passes all tests of its row, which run in the sandbox; and how many ended in which way.

    It takes the program from the answer itself: fenced, or between `[BEGIN]` and `[DONE]`, or the whole answer.
    """

    def __init__(
        self, metric: str = "MBPP", timeout: float = 9, pred_postprocessor: dict[str, Any] | None = None
    ) -> None:
        """`timeout` is in seconds of processor time. ValueError for another metric than `MBPP`."""
        if metric != "MBPP":
            raise ValueError(f"there is no metric {metric!r}, only 'MBPP'")
        self._limits = Limits.of_seconds(timeout)
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], references: Sequence[Any], code_runner: CodeRunner) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """References are texts of assertions, or dicts with such a text under `test_list_2`."""
        judged = _judge(predictions, references, code_runner, self._limits)
        counts = Counter(result for item in judged for result in item.results)
        metrics = {name: sum(counts[verdict] for verdict in verdicts) for name, verdicts in _COUNTED.items()}
        total = counts.total()
        return {
            "score": 100 * metrics["pass"] / total if total else 0.0,
            **metrics,
            "sandbox": code_runner.sandbox.name,
            "details": [item.detail() for item in judged],
        }


class MBPPPassKEvaluator(BaseEvaluator):
    """`pass@k`: as `MBPPEvaluator`, for rows with several answers."""

    def __init__(
        self,
        k: Sequence[int] | int = (1, 10, 100),
        timeout: float = 9,
        pred_postprocessor: dict[str, Any] | None = None,
    ) -> None:
        """Only those `k` are reported for which a row has enough answers; `timeout` is in seconds of processor time."""
        self._ks = (k,) if isinstance(k, int) else tuple(k)
        self._limits = Limits.of_seconds(timeout)
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], references: Sequence[Any], code_runner: CodeRunner) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """References are as for `MBPPEvaluator`; equal `task_id`, or without one equal tests, make one task."""
        judged = _judge(predictions, references, code_runner, self._limits)
        tasks = [
            reference.get("task_id") if isinstance(reference, dict) else str(reference) for reference in references
        ]
        metrics = pass_metrics(tasks, [item.right for item in judged], self._ks)
        return {
            **{f"pass@{k}": value for k, value in metrics.items()},
            "sandbox": code_runner.sandbox.name,
            "details": [item.detail() for item in judged],
        }


def _judge(predictions: Sequence[Any], references: Sequence[Any], runner: CodeRunner, limits: Limits) -> list[Judged]:
    tests = [_tests(reference) for reference in references]

    def program_of(text: str, index: int) -> Program:
        code = mbpp_answer(text).answer or ""
        # Markdown escapes underscores, which no program does outside of a string.
        return Program((code, code.replace("\\_", "_")) if code else (), tests[index])

    return judge(predictions, program_of, runner, limits)


def _tests(reference: Any) -> tuple[str, ...]:
    """One text per assertion, so that an error can say which one; what comes before the first goes with it."""
    tests = reference["test_list_2"] if isinstance(reference, dict) else reference
    return tuple(tests) if isinstance(tests, list | tuple) else tuple(re.split(r"\n(?=assert )", str(tests)))
