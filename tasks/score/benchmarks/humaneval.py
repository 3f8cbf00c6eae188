"""Evaluators of HumanEval (Chen et al. 2021, arXiv:2107.03374) and its translation HumanEval-X."""

import ast
from collections.abc import Sequence
from textwrap import indent
from typing import Any

from tasks.score.evaluators.programs import Judged, columns_of, judge
from tasks.score.interface import BaseEvaluator
from tasks.score.metrics.pass_at_k import pass_metrics
from tasks.score.sandbox.program import Limits, Program
from tasks.score.sandbox.runner import CodeRunner

_INDENT = "    "
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class HumanEvalEvaluator(BaseEvaluator):
    """`humaneval_pass@k`: the function passes the tests of its row, which run in the sandbox."""

    def __init__(
        self,
        k: Sequence[int] | int = (1, 10, 100),
        timeout: float = 3,
        pred_postprocessor: dict[str, Any] | None = None,
    ) -> None:
        """Only those `k` are reported for which a row has enough answers; `timeout` is in seconds of processor time."""
        self._ks = (k,) if isinstance(k, int) else tuple(k)
        self._limits = Limits.of_seconds(timeout)
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], test_set: Any, code_runner: CodeRunner) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Reads the columns `task_id`, `prompt`, `test` and `entry_point`."""
        rows = columns_of(test_set, "task_id", "prompt", "test", "entry_point")

        def program_of(completion: str, index: int) -> Program:
            _, prompt, test, entry_point = rows[index]
            return Program(readings(prompt, completion), (f"{test}\ncheck({entry_point})",), helpers(prompt))

        judged = judge(predictions, program_of, code_runner, self._limits)
        return _scored(judged, [row[0] for row in rows], self._ks, code_runner)


class HumanevalXEvaluator(BaseEvaluator):
    """`humanevalx_pass@k` of the Python part: the function passes the tests of its row, which run in the sandbox."""

    def __init__(
        self,
        language: str = "python",
        k: Sequence[int] | int = (1, 10, 100),
        timeout: float = 5,
        ip_address: str = "",
        port: int = 0,
        pred_postprocessor: dict[str, Any] | None = None,
    ) -> None:
        """`ip_address` and `port` are accepted for compatibility: programs run on this machine.

        ValueError for a language other than Python.
        """
        if language != "python":
            raise ValueError(f"programs in {language!r} cannot be run here, only those in 'python'")
        self._ks = (k,) if isinstance(k, int) else tuple(k)
        self._limits = Limits.of_seconds(timeout)
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], test_set: Any, code_runner: CodeRunner) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Reads the columns `task_id`, `prompt` and `test`."""
        rows = columns_of(test_set, "task_id", "prompt", "test")

        def program_of(completion: str, index: int) -> Program:
            _, prompt, test = rows[index]
            return Program(readings(prompt, completion), (test,), helpers(prompt))

        judged = judge(predictions, program_of, code_runner, self._limits)
        return _scored(judged, [row[0] for row in rows], self._ks, code_runner, "humanevalx")


def readings(prompt: str, completion: str) -> tuple[str, ...]:
    """Programs that a completion may mean, in order; none for a blank one.

    It continues the prompt, as a body or with a whole function that replaces the prompt's. It stands alone if it
    begins with `from __future__`, or the prompt has no body. A body may have lost the indentation of its first line,
    which stripping a text takes, or of all lines.
    """
    if not completion.strip():
        return ()
    start = prompt if prompt.endswith("\n") else f"{prompt}\n"
    return (
        f"{start}{completion}",
        completion,
        f"{start}{_INDENT}{completion.lstrip()}",
        f"{start}{indent(completion, _INDENT)}",
    )


def helpers(prompt: str) -> str:
    """What the prompt defines before the function that is asked for: tests use it, whatever the program made of it."""
    for text in (prompt, f"{prompt.rstrip()}\n{_INDENT}pass"):
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        asked = max((place for place, node in enumerate(tree.body) if isinstance(node, _FUNCTIONS)), default=0)
        return ast.unparse(ast.Module(tree.body[:asked], []))
    return ""


def _scored(
    judged: Sequence[Judged], tasks: Sequence[Any], ks: Sequence[int], runner: CodeRunner, name: str = "humaneval"
) -> dict[str, Any]:
    metrics = pass_metrics(tasks, [item.right for item in judged], ks)
    return {
        **{f"{name}_pass@{k}": value for k, value in metrics.items()},
        "sandbox": runner.sandbox.name,
        "details": [item.detail() for item in judged],
    }
