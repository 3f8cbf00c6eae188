"""Evaluates the arithmetic expressions of `transforms` without running code."""

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from tasks.spec.python_text import parse_expression

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: math.pow,
}
_UNARY: dict[type[ast.unaryop], Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "min": min, "max": max, "round": round, "sqrt": math.sqrt, "log": math.log, "exp": math.exp,
}  # fmt: skip
_LONGEST = 200


def evaluate_expression(expression: str, x: float) -> float:
    """The value of an expression in `x`: numbers, + - * / // % **, parentheses, abs min max round sqrt log exp.

    ValueError, naming what is wrong, for anything else and for values that have no result.
    """
    if len(expression) > _LONGEST:
        raise ValueError(f"the expression is longer than {_LONGEST} characters")
    try:
        return float(_value(parse_expression(expression.strip()), x))
    except SyntaxError as error:
        raise ValueError(f"{expression!r} is no expression") from error
    except (ArithmeticError, TypeError, RecursionError) as error:
        raise ValueError(f"{expression!r} has no value for x={x}: {error}") from error


def _value(node: ast.expr, x: float) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id="x"):
            return x
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, x), _value(right, x))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, x))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return float(
                _FUNCTIONS[name](*(_argument(name, index, argument, x) for index, argument in enumerate(arguments)))
            )
        case _:
            raise ValueError(f"{ast.unparse(node)!r} is not allowed in a transform")


def _argument(function: str, index: int, node: ast.expr, x: float) -> Any:
    value = _value(node, x)
    return int(value) if function == "round" and index == 1 else value
