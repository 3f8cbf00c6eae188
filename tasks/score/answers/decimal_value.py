r"""The value of an answer as a decimal number: `0.5`, `\frac{\pi}{2}`, `3.2\times10^{-5}`, `2*sqrt(3)`, `1e-4`."""

import ast
import math
import operator
import re
from collections.abc import Callable

from tasks.score.answers.math_form import rational
from tasks.spec.python_text import parse_expression

_LONGEST = 200
_REWRITES = (
    (re.compile(r"\\(?:left|right|,|;|!|:| |displaystyle)|[$\s]|(?<=\d),(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\\[dt]?frac(\d)(\d)"), r"((\1)/(\2))"),
    (re.compile(r"\\?sqrt(\d)"), r"sqrt(\1)"),
    (re.compile(r"\\(?:cdot|times|ast)|×|·"), "*"),
    (re.compile(r"\\?(?:pi(?![a-z])|π)"), "(pi)"),
    (re.compile(r"(?<![A-Za-z])e(?=\^)"), "(e)"),
    (re.compile(r"\^"), "**"),
    (re.compile(r"[{\[]"), "("),
    (re.compile(r"[}\]]"), ")"),
    (re.compile(r"\\"), ""),
    (re.compile(r"(?<=[\d)])(?=\(|sqrt)"), "*"),
)
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]{1,80})\}\{([^{}]{1,80})\}")
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_FUNCTIONS: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt, "exp": math.exp, "ln": math.log, "log": math.log}
_NAMES = {"pi": math.pi, "e": math.e}


def decimal_value(text: str) -> float | None:
    """The finite value of a text that is one number or an expression of numbers; None for anything else."""
    text = text.strip().rstrip(".")
    if len(text) > _LONGEST:
        return None
    try:
        value = rational(text)
        result = float(value) if value is not None else _value(parse_expression(_as_expression(text)))
    except (ValueError, SyntaxError, ArithmeticError, RecursionError, MemoryError):
        return None
    return result if math.isfinite(result) else None


def _as_expression(text: str) -> str:
    while (shorter := _FRACTION.sub(r"((\1)/(\2))", text)) != text:
        text = shorter
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    return text


def _value(node: ast.expr) -> float:
    """ValueError for a node that is no arithmetic."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id in _NAMES:
        return _NAMES[node.id]
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
        value = _value(node.operand)
        return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _FUNCTIONS.get(node.func.id, _unknown)(_value(node.args[0]))
    raise ValueError("no arithmetic")


def _unknown(_: float) -> float:
    raise ValueError("no known function")
