"""Rewrites the syntax tree of a configuration file, so that running it imports nothing heavy and keeps every line.

Imports of modules outside the standard library become references, imports inside `with read_base():` become
loads of the file they name, and every dict is made to know its file, its line and the lines of its keys.
"""

import ast
import sys
from collections.abc import Sequence
from typing import Any

from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.python_text import parse_expression

DICT, REFERENCE, BASE_NAMES, BASE_ALL = "__config_dict__", "__config_reference__", "__config_names__", "__config_all__"
"""Names of the functions that the rewritten code calls."""

_READ_BASE_HOMES = ("mmengine", "mmengine.config", "tasks.spec")


def rewrite(tree: ast.Module, file: str) -> ast.Module:
    """The tree of the file, ready to be compiled; UserError where it uses what configurations cannot have."""
    return ast.fix_missing_locations(_Rewriter(file).visit(tree))


def assignment_lines(tree: ast.Module) -> dict[str, int]:
    """The last line on which each name is bound."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return {name.id: name.lineno for name in sorted(names, key=lambda name: name.lineno)}


class _Rewriter(ast.NodeTransformer):
    def __init__(self, file: str) -> None:
        self.file = file
        self.in_base = False
        self.read_base_names = {"read_base"}

    def visit_With(self, node: ast.With) -> ast.AST | list[ast.stmt]:
        if not any(self._is_read_base(item.context_expr) for item in node.items):
            return self.generic_visit(node)
        if len(node.items) > 1 or self.in_base:
            raise self._error(node, "read_base() stands alone in its `with`, and not inside another one")
        self.in_base = True
        body = [new for statement in node.body for new in _statements(self.visit(statement))]
        self.in_base = False
        return body or [ast.copy_location(ast.Pass(), node)]

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        if self.in_base:
            raise self._error(node, "inside read_base() write `from … import …`, not `import …`")
        return [self._import(alias, node) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        star = any(alias.name == "*" for alias in node.names)
        if self.in_base:
            return [self._load_all(node) if star else self._load_names(node)]
        if star:
            raise self._error(node, "`import *` is for `with read_base():` only; name what is to be imported")
        if not node.level and _in_standard_library(node.module):
            return [node]
        if node.module in _READ_BASE_HOMES:
            self.read_base_names |= {alias.asname or alias.name for alias in node.names if alias.name == "read_base"}
        module = self._reference_module(node)
        return [self._bind(alias.asname or alias.name, f"{module}{alias.name}", node) for alias in node.names]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != "dict":
            return node
        return self._placed(node, [(keyword.arg, keyword.lineno) for keyword in node.keywords if keyword.arg])

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        self.generic_visit(node)
        keys = [(key.value, key.lineno) for key in node.keys if isinstance(key, ast.Constant)]
        return self._placed(node, keys)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        return self._placed(node, [])

    def _placed(self, node: ast.expr, keys: Sequence[tuple[object, int]]) -> ast.Call:
        return _call(DICT, node, [ast.Constant(node.lineno), _constant(keys), node])

    def _import(self, alias: ast.alias, node: ast.Import) -> ast.stmt:
        if _in_standard_library(alias.name):
            return ast.copy_location(ast.Import([alias]), node)
        top = alias.name.partition(".")[0]
        return self._bind(alias.asname or top, alias.name if alias.asname else top, node)

    def _bind(self, name: str, dotted: str, node: ast.stmt) -> ast.stmt:
        value = _call(REFERENCE, node, [ast.Constant(dotted), ast.Constant(node.lineno)])
        return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)

    def _load_names(self, node: ast.ImportFrom) -> ast.stmt:
        names = tuple(alias.name for alias in node.names)
        targets: list[ast.expr] = [ast.Name(alias.asname or alias.name, ast.Store()) for alias in node.names]
        value = _call(BASE_NAMES, node, [*self._base_arguments(node), _constant(names)])
        return ast.copy_location(ast.Assign([ast.Tuple(targets, ast.Store())], value), node)

    def _load_all(self, node: ast.ImportFrom) -> ast.stmt:
        return ast.copy_location(ast.Expr(_call(BASE_ALL, node, self._base_arguments(node))), node)

    def _base_arguments(self, node: ast.ImportFrom) -> list[ast.expr]:
        if not node.module:
            raise self._error(node, "inside read_base() name the file, as in `from .folder.file import name`")
        return [ast.Constant(node.module), ast.Constant(node.level), ast.Constant(node.lineno)]

    def _reference_module(self, node: ast.ImportFrom) -> str:
        if node.level > 1:
            raise self._error(node, "own classes lie in the folder of this file or below: one dot at most")
        return f"{node.module}." if node.module else ""

    def _is_read_base(self, node: ast.expr) -> bool:
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Attribute):
            return function.attr == "read_base"
        return isinstance(function, ast.Name) and function.id in self.read_base_names

    def _error(self, node: ast.stmt, message: str) -> UserError:
        return UserError(Finding(message, Place(self.file, node.lineno)))


def _call(function: str, at: ast.AST, arguments: list[ast.expr]) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(function, ast.Load()), arguments, []), at)


def _constant(value: Any) -> ast.expr:
    """A literal of nested tuples."""
    return parse_expression(repr(tuple(value)))


def _statements(visited: ast.AST | list[ast.stmt] | None) -> list[ast.stmt]:
    if isinstance(visited, list):
        return visited
    return [visited] if isinstance(visited, ast.stmt) else []


def _in_standard_library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in sys.stdlib_module_names
