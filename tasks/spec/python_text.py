"""Parses Python text in any thread.

CPython 3.11 counts the recursion of all threads in one place, so `ast.parse` raises SystemError when the garbage
collector switches threads inside it and another thread parses too (https://github.com/python/cpython/issues/106905).
Such an attempt is repeated.
"""

import ast
from collections.abc import Callable
from typing import TypeVar

_ATTEMPTS = 100
_Tree = TypeVar("_Tree", ast.Module, ast.Expression)


def parse_module(text: str | bytes, name: str = "<unknown>") -> ast.Module:
    """The syntax tree of a module; raises what `ast.parse` raises."""
    return _repeated(lambda: ast.parse(text, name))


def parse_expression(text: str) -> ast.expr:
    """The syntax tree of an expression; raises what `ast.parse` raises."""
    return _repeated(lambda: ast.parse(text, mode="eval")).body


def _repeated(parse: Callable[[], _Tree]) -> _Tree:
    for _ in range(_ATTEMPTS):
        try:
            return parse()
        except SystemError:
            continue
    return parse()
