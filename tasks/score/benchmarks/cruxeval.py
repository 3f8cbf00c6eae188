"""Evaluator of CRUXEval (Gu et al. 2024, arXiv:2401.03065): what a call returns, or a call that returns something."""

from collections.abc import Sequence
from typing import Any, Literal

from tasks.score.evaluators.programs import columns_of, judge
from tasks.score.interface import BaseEvaluator
from tasks.score.metrics.pass_at_k import pass_metrics
from tasks.score.sandbox.program import Limits, Program
from tasks.score.sandbox.runner import CodeRunner

# This runs behind the function `f` of the row, in the process of the answer: an expression or a whole assertion.
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

def _output(answer):
    return _value(_parsed(answer)[1], {})  # without `f`, since a call is no prediction

def _input(answer):
    try:
        call = _parsed(answer)[0]
    except SyntaxError:
        call = None
    if not _is_call(call):
        call = _parsed("f(" + answer + ")")[0]
    call.func.id = "_arguments"
    return _value(call, globals())

def _arguments(*args, **kwargs):
    return args, kwargs
"""
# And these in the judge's, which has the function `f` of the row itself.
_OUTPUT = """\
import ast as _ast
_said = _ast.literal_eval(repr(_output({answer!r})))
assert f({input}) == _said
"""
_INPUT = """\
_args, _kwargs = _input({answer!r})
assert f(*_args, **_kwargs) == {output}
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
            return Program((f"{code}\n{_READ}",) if answer else (), (test,), helpers=code, data_only=True)

        judged = judge(predictions, program_of, code_runner, self._limits)
        metrics = pass_metrics([row[0] for row in rows], [item.right for item in judged], self._ks)
        return {
            **{f"pass@{k}": value for k, value in metrics.items()},
            "sandbox": code_runner.sandbox.name,
            "details": [item.detail() for item in judged],
        }
