"""Evaluator of CRUXEval (Gu et al. 2024, arXiv:2401.03065): what a call returns, or a call that returns something."""

from collections.abc import Sequence
from typing import Any, Literal

from tasks.score.evaluators.programs import columns_of, judge
from tasks.score.interface import BaseEvaluator
from tasks.score.metrics.pass_at_k import pass_metrics
from tasks.score.sandbox.program import Limits, Program
from tasks.score.sandbox.runner import CodeRunner

# These run in the sandbox, behind the function `f` of the row; an answer is an expression or a whole assertion.
_READ = """\
import ast as _ast

def _parsed(text):
    statement = _ast.parse(text).body[0]
    node = getattr(statement, "test", None) or statement.value
    is_equation = isinstance(node, _ast.Compare) and _is_call(node.left)
    return (node.left, node.comparators[-1]) if is_equation else (node, node)

def _is_call(node):
    return isinstance(node, _ast.Call) and isinstance(node.func, _ast.Name) and node.func.id == "f"

def _value(node, names):
    return eval(compile(_ast.Expression(node), "<answer>", "eval"), names)
"""
_OUTPUT = """\
# Without `f`, since a call is no prediction; through a literal, since an object may claim to equal anything.
_said = _ast.literal_eval(repr(_value(_parsed({answer!r})[1], {{}})))
assert f({input}) == _said
"""
_INPUT = """\
try:
    _call = _parsed({answer!r})[0]
except SyntaxError:
    _call = None
if not _is_call(_call):
    _call = _parsed("f(" + {answer!r} + ")")[0]
assert _value(_call, globals()) == {output}
"""


class CRUXEvalEvaluator(BaseEvaluator):
    """`pass@k`: the predicted output is that of the call, or the predicted input makes the call return the output."""

    def __init__(
        self,
        mode: Literal["output", "input"],
        k: Sequence[int] | int = (1, 5),
        timeout: float = 3,
        pred_postprocessor: dict[str, Any] | None = None,
    ) -> None:
        """Only those `k` are reported for which a row has enough answers; `timeout` is in seconds of processor time."""
        if mode not in ("output", "input"):
            raise ValueError(f"mode is 'output' or 'input', not {mode!r}")
        self._test = _OUTPUT if mode == "output" else _INPUT
        self._ks = (k,) if isinstance(k, int) else tuple(k)
        self._limits = Limits.of_seconds(timeout)
        self.pred_postprocessor = pred_postprocessor

    def score(self, predictions: Sequence[Any], test_set: Any, code_runner: CodeRunner) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Reads the columns `id`, `code`, `input` and `output`."""
        rows = columns_of(test_set, "id", "code", "input", "output")

        def program_of(text: str, index: int) -> Program:
            _, code, given, output = rows[index]
            answer = text.strip()
            test = self._test.format(answer=answer, input=given, output=output)
            return Program((code,) if answer else (), (_READ + test,))

        judged = judge(predictions, program_of, code_runner, self._limits)
        metrics = pass_metrics([row[0] for row in rows], [item.right for item in judged], self._ks)
        return {
            **{f"pass@{k}": value for k, value in metrics.items()},
            "sandbox": code_runner.sandbox.name,
            "details": [item.detail() for item in judged],
        }
