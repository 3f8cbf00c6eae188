"""The judge's side: hears one program after the other, each in a process of its own, and says the verdicts.

The tests run here, and all comparisons; what they call of the program is asked of the process of the program, which is
in another sandbox. A job comes with two descriptors: the channel to the program, and where the verdict goes.
"""

import ast
import builtins
import contextlib
import marshal
import os
import signal
import socket
import symtable
import sys
from functools import partial
from typing import Any, NoReturn

from tasks.score.sandbox.inside.errors import rebuild
from tasks.score.sandbox.inside.remote import ProgramSide, Remote
from tasks.score.sandbox.inside.watch import CONTROL, report, start, wait, wake_on_child

_TEXT_LENGTH = 500
_HEADER = 8
_NAME = "candidate"
_MODULES = ("collections", "copy", "datetime", "decimal", "fractions", "itertools", "math", "random", "re", "typing")
"""What tests import most; loaded once for all of them."""


def main() -> None:
    """Runs until nobody sends jobs any more."""
    for module in _MODULES:
        __import__(module)
    control = socket.socket(fileno=os.dup(CONTROL))
    wakeup = wake_on_child()
    report(CONTROL, "ready")
    while True:
        header, descriptors, _, _ = socket.recv_fds(control, _HEADER, 2)
        if not header:
            os._exit(0)
        channel, verdict = descriptors
        job: dict[str, Any] = marshal.loads(_exactly(control, int.from_bytes(header, "little")))  # noqa: S302 ours
        process = start(partial(_hear, job, channel, verdict), job["limits"], job["uid"], channel, verdict)
        os.close(channel)
        end = wait(process, wakeup, job["wall_seconds"])
        if end is None:
            os.kill(process, signal.SIGKILL)
            report(verdict, "expired")
        else:
            report(verdict, "ended", end.status, f"{end.cpu_seconds:.2f}")
        os.close(verdict)
        if os.getpid() == 1:  # what the tests left behind
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)


def _exactly(control: socket.socket, size: int) -> bytes:
    with contextlib.closing(control.dup().makefile("rb", buffering=0)) as file:
        parts = b""
        while len(parts) < size:
            part = file.read(size - len(parts))
            if not part:
                os._exit(0)
            parts += part
        return parts


def _hear(job: dict[str, Any], channel: int, verdict: int) -> None:
    tests: list[str] = job["tests"]
    place = ""

    def end(word: str, text: str = "") -> NoReturn:
        report(verdict, word, 0, text)
        os._exit(0)

    side = ProgramSide(channel, end, data_only=job["data_only"])
    try:
        sources = [job["helpers"], *tests]
        side.classes = frozenset(name for source in sources for name in _classes(source))
        side.names = names = _Names(side, sources)
        side.ask("load", tuple(side.classes))
        exec(compile(job["helpers"], "<helpers>", "exec"), names)  # noqa: S102
        for number, test in enumerate(tests, 1):
            place = f" (test {number} of {len(tests)})" if len(tests) > 1 else ""
            exec(compile(test, "<test>", "exec"), names)  # noqa: S102 the tests of the dataset
        side.expect_silence()
    except BaseException as error:  # noqa: BLE001 the program may raise anything
        end("wrong_answer" if isinstance(error, AssertionError) else "failed", _describe(error) + place)
    end("passed")


def _describe(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
    except BaseException:  # noqa: BLE001 it may be shown by the program, which may raise then
        text = type(error).__name__
    return text[:_TEXT_LENGTH].removesuffix(": ")


class _Names(dict[str, Any]):
    """The names of the tests. Those that they do not define are the program's, but for modules and built-ins.

    A name of the language means what it means there, whatever the program has by that name; unless it is the only one
    that the tests take from elsewhere: then it is the function they test.
    """

    def __init__(self, side: ProgramSide, sources: list[str]) -> None:
        super().__init__(__name__=_NAME)
        free = {name for source in sources for name in _free_names(source)}
        defined = {name for source in sources for name in _defined_names(source)}
        self._tested = free - defined if len(free - defined) == 1 else set[str]()
        self._modules = {name for source in sources for name in _used_as_modules(source)}
        self._side = side

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name) and name not in self._tested:
            raise KeyError(name)
        found, kind, value = self._side.ask("global", name)
        if not found:
            raise KeyError(name)
        if name in self._modules or kind == "module":
            return _own_module(name if name in self._modules else value)
        if kind == "exception":
            value = type(rebuild((value, (), ""), self, self._side.exceptions))
        if isinstance(value, Remote | type):
            self[name] = value
        return value


def _own_module(name: Any) -> Any:
    if name not in sys.stdlib_module_names:
        raise NameError(f"the tests use {name!r}, which is no module of the standard library")
    return __import__(name)


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):  # said when it is compiled
        return ast.Module([], [])


def _classes(source: str) -> set[str]:
    return {node.name for node in ast.walk(_tree(source)) if isinstance(node, ast.ClassDef)}


def _used_as_modules(source: str) -> set[str]:
    """Names of modules of the standard library of which the source takes attributes, and that it never calls."""
    tree = _tree(source)
    used = {n.value.id for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    called = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return used & set(sys.stdlib_module_names) - called


def _free_names(source: str) -> set[str]:
    """Names that the source takes from its module or the language."""
    return {symbol.get_name() for table in _tables(source) for symbol in table.get_symbols() if _is_free(table, symbol)}


def _defined_names(source: str) -> set[str]:
    tables = _tables(source)
    symbols = tables[0].get_symbols() if tables else []
    return {s.get_name() for s in symbols if s.is_assigned() or s.is_imported() or s.is_namespace()}


def _tables(source: str) -> list[symtable.SymbolTable]:
    try:
        tables = [symtable.symtable(source, "<test>", "exec")]
    except (SyntaxError, ValueError):
        return []
    for table in tables:
        tables += table.get_children()
    return tables


def _is_free(table: symtable.SymbolTable, symbol: symtable.Symbol) -> bool:
    return symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module")
