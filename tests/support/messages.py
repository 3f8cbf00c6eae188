"""All that the product says about errors, told from its source: `python tests/support/messages.py` writes it down.

A message is what is raised, handed to a finding, or given as the `reason` or `error` of anything, by hand or by a
function that hands its own argument on; `{…}` stands for values, with the expression that makes them.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
MESSAGES = ROOT / "tests" / "data" / "messages.txt"
_FOLDERS = ("tasks", "flows", "blocks")
_ENDINGS = ("Error", "Failed", "Finding", "Stopped", "Refused")
_ENDS = ("parser.error", "sys.exit", "run.fail", "self._run.fail")
"""Calls that end the program, or a part of the run, with a message."""
_REASONS = ("reason", "error")
_NOT_SHOWN = ("kind", "key")
_DEEPEST = 6
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Message(NamedTuple):
    """One error, with what to do about it if that is said."""

    file: str
    texts: tuple[str, ...]


def messages() -> list[Message]:
    """Those of every file, in the order of the source, equal ones once."""
    found: dict[Message, None] = {}
    for folder in _FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_bytes())
            file = str(path.relative_to(ROOT))
            found |= {Message(file, texts): None for texts in _Reader(tree).messages()}
    return list(found)


def listing() -> str:
    """The messages by file, remedies below."""
    lines: list[str] = []
    file = ""
    for message in messages():
        if message.file != file:
            lines += ["", message.file] if file else [message.file]
            file = message.file
        first, *more = message.texts
        lines += [f"  {first}", *(f"      {text}" for text in more)]
    return "\n".join(lines) + "\n"


class _Reader:
    """Finds the messages of one file."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._functions = [node for node in ast.walk(tree) if isinstance(node, _Function)]
        self._raised = {id(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise)}
        self._tellers: set[str] = {"add"} if any(_name(node) == "checker" for node in ast.walk(tree)) else set()
        while new := {f.name for f in self._functions if f.name not in self._tellers and self._hands_on(f)}:
            self._tellers |= new

    def messages(self) -> Iterator[tuple[str, ...]]:
        for scope in [self._tree, *self._functions]:
            for call in _own(scope):
                if isinstance(call, ast.Call):
                    yield from self._texts(call, scope)

    def _tells(self, call: ast.Call) -> bool:
        name = _name(call.func)
        is_raised = id(call) in self._raised or ast.unparse(call.func) in _ENDS
        return is_raised or name.endswith(_ENDINGS) or name in self._tellers

    def _hands_on(self, function: _Function) -> bool:
        arguments = function.args
        names = {item.arg for item in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call) and self._tells(node)]
        given = [value for call in calls for value in (*call.args, *(keyword.value for keyword in call.keywords))]
        return any(isinstance(value, ast.Name) and value.id in names - {"self", "error", "place"} for value in given)

    def _texts(self, call: ast.Call, scope: ast.AST) -> Iterator[tuple[str, ...]]:
        if self._tells(call):
            values = [*call.args, *(item.value for item in call.keywords if item.arg not in _NOT_SHOWN)]
        else:
            values = [item.value for item in call.keywords if item.arg in _REASONS]
        texts = [text for value in values for text in self._written(value, call, scope)]
        if texts and not texts[0].startswith("{nearest("):
            yield tuple(dict.fromkeys(texts))

    def _written(self, value: ast.expr, call: ast.Call, scope: ast.AST, within: int = 0) -> Iterator[str]:
        """The texts that an argument of the call can be; a name may be made of itself."""
        for text in self._parts(value, call, scope) if within < _DEEPEST else ():
            yield from self._written(text, call, scope, within + 1)
        if isinstance(value, ast.Call) and _name(value.func) == "nearest":
            yield f"{{{ast.unparse(value)}}}"
        if isinstance(value, ast.JoinedStr | ast.Constant) or _is_joined(value):
            text = _text(value)
            if " " in text.strip() or (isinstance(value, ast.JoinedStr) and any(c.isalpha() for c in _literal(value))):
                yield text.replace("\n", "\\n")

    def _parts(self, value: ast.expr, call: ast.Call, scope: ast.AST) -> Iterator[ast.expr]:
        """What an argument is one of: a variable's values, alternatives, or what a function of the file returns."""
        if isinstance(value, ast.Name):
            yield from _values(value.id, call, self._tree if value.id.isupper() else scope)
        elif isinstance(value, ast.IfExp):
            yield from (value.body, value.orelse)
        elif isinstance(value, ast.BoolOp):
            yield from value.values
        elif isinstance(value, ast.Call):
            called = [function for function in self._functions if function.name == _name(value.func)]
            returns = [node.value for function in called for node in _own(function) if isinstance(node, ast.Return)]
            yield from (text for text in returns if text is not None and not isinstance(text, ast.Call | ast.Name))


def _values(name: str, call: ast.Call, scope: ast.AST) -> list[ast.expr]:
    """What the variable of the function can be at the call: what it became since another call took it."""
    nodes = list(_own(scope))
    takers = [node.lineno for node in nodes if isinstance(node, ast.Call) and node is not call and _takes(node, name)]
    last = max((line for line in takers if line < call.lineno), default=0)
    bound = [
        node
        for node in nodes
        if isinstance(node, ast.Assign | ast.NamedExpr) and _binds(node, name) and node.lineno <= (call.end_lineno or 0)
    ]
    later = [node for node in bound if node.lineno > last]
    return [node.value for node in later or bound if not isinstance(node.value, ast.Name)]


def _takes(call: ast.Call, name: str) -> bool:
    values = [*call.args, *(item.value for item in call.keywords)]
    return any(isinstance(value, ast.Name) and value.id == name for value in values)


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function or module that are in no function inside of it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, _Function):
            yield child
            yield from _own(child)


def _binds(node: ast.Assign | ast.NamedExpr, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _text(value: ast.expr) -> str:
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        return _text(value.left) + _text(value.right)
    if isinstance(value, ast.JoinedStr):
        return "".join(map(_text, value.values))
    if isinstance(value, ast.FormattedValue):
        return f"{{{ast.unparse(value.value)}}}"
    if isinstance(value, ast.Constant):
        return value.value if isinstance(value.value, str) else ""
    return f"{{{ast.unparse(value)}}}"


def _is_joined(value: ast.expr) -> bool:
    return isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add)


def _literal(value: ast.JoinedStr) -> str:
    return "".join(str(part.value) for part in value.values if isinstance(part, ast.Constant))


if __name__ == "__main__":
    MESSAGES.write_text(listing(), encoding="utf-8")
