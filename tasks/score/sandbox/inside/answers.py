"""The program's side: runs the program in a process of its own, which answers the calls of the judge.

Nothing here knows a test or what is expected, and nothing that this process does is a verdict.
"""

import io
import marshal
import operator
import os
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from tasks.score.sandbox.inside.channel import TooLarge, receive, send
from tasks.score.sandbox.inside.errors import describe, rebuild
from tasks.score.sandbox.inside.values import Reader, Writer
from tasks.score.sandbox.inside.watch import CONTROL, report, start, wait, wake_on_child

_NAME = "candidate"
_UNUSABLE = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
"""What `compile` raises for a text that is no program."""
_LARGE = (TooLarge, MemoryError, RecursionError)


def main() -> None:
    """Watches the program and reports how its process ended."""
    job: dict[str, Any] = marshal.load(sys.stdin.buffer)  # noqa: S302 written by us
    wakeup = wake_on_child()
    channel, started = job["channel"], os.dup(CONTROL)
    program = start(lambda: _run(job["sources"], channel, started), job["limits"], job["uid"], channel, started)
    os.close(channel)
    end = wait(program, wakeup, job["wall_seconds"])
    if end is None:
        report(CONTROL, "expired")
    else:
        report(CONTROL, "ended", end.status, f"{end.cpu_seconds:.2f}")
    os._exit(0)


def _run(sources: list[str], channel: int, started: int) -> None:
    reading, program = _first_that_compiles(sources)
    report(started, "started", reading)
    os.close(started)
    sys.argv = [f"{_NAME}.py"]
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    side = _Side(channel, program, module.__dict__)
    while True:
        side.answer(receive(channel))


def _first_that_compiles(sources: list[str]) -> tuple[int, Any]:
    """Its index and code; index 0 and what keeps the first source from being compiled if none of them is a program."""
    first: BaseException | None = None
    for index, source in enumerate(sources):
        try:
            return index, compile(source, "<program>", "exec")
        except _UNUSABLE as error:
            first = first or error
    return 0, first


class _Side:
    """The program's objects that the judge knows by number, and how its requests are answered."""

    def __init__(self, channel: int, program: Any, names: dict[str, Any]) -> None:
        self.program, self.names = program, names
        self._channel = channel
        self._process, self._own, self._leave = os.getpid(), os.getpid, os._exit
        self._nonce = b""
        self._classes: frozenset[str] = frozenset()
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._stubs: dict[int, tuple[Any, int]] = {}
        self._made: dict[str, type] = {}

    def answer(self, message: bytes) -> None:
        """Does what a request says and sends what comes of it."""
        reader = Reader(message, self._object, self._instance)
        nonce, operation, captured, *operands = reader.all()
        outer, self._nonce = self._nonce, nonce
        before = [_contents(container) for container in reader.containers]
        stdout = sys.stdout
        output = io.StringIO() if captured else None
        sys.stdout = output or stdout
        try:
            answer = ("returned", OPERATIONS[operation](self, *operands))
        except BaseException as error:  # noqa: BLE001 the judge gets to know it
            answer = ("raised", describe(error))
        sys.stdout = stdout
        text = output.getvalue() if output else ""
        after = [_contents(container) for container in reader.containers]
        changes = tuple(
            (place, new)
            for place, (old, new) in enumerate(zip(before, after, strict=True))
            if len(old) != len(new) or any(one is not other for one, other in zip(old, new, strict=True))
        )
        self._send(reader.containers, (nonce, *answer, changes, text))
        self._nonce = outer

    def load(self, classes: tuple[str, ...]) -> None:
        """Runs the program; instances of `classes` are sent with their attributes."""
        self._classes = frozenset(classes)
        if isinstance(self.program, BaseException):
            raise self.program
        exec(self.program, self.names)  # noqa: S102 that is what the sandbox is for

    def global_name(self, name: str) -> tuple[bool, str, Any]:
        """Whether there is such a name, what kind of thing it stands for, and the thing."""
        if name not in self.names:
            return False, "", None
        value = self.names[name]
        if isinstance(value, ModuleType):
            return True, "module", value.__name__
        if isinstance(value, type) and issubclass(value, BaseException):
            return True, "exception", tuple(base.__name__ for base in value.__mro__)
        return True, "", value

    def _send(self, containers: list[Any], message: tuple[Any, ...]) -> None:
        if self._own() != self._process:  # a process that the program forked
            self._leave(1)
        try:
            writer = Writer(self._special, containers)
            writer.write(message)
            send(self._channel, writer.data)
        except _LARGE as error:
            self._send_failure(ValueError(f"the answer is too large or nested too deeply: {describe(error)[2]}"))
        except Exception as error:  # noqa: BLE001 the program's objects may raise when they are read
            self._send_failure(error)

    def _send_failure(self, error: BaseException) -> None:
        names, _, text = describe(error)
        writer = Writer(self._special)
        writer.write((self._nonce, "raised", (names, (), text), (), ""))
        send(self._channel, writer.data)

    def _ask_judge(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Calls a function of the tests that was given as an argument."""
        self._send([], (self._nonce, "callback", number, args, kwargs))
        while True:
            message = receive(self._channel)
            word, *operands = Reader(message, self._object, self._instance).all()[1:]
            if word == "return":
                return operands[0]
            if word == "raise":
                raise rebuild(operands[0], {}, {})
            self.answer(message)

    def _special(self, writer: Writer, value: Any) -> None:
        if (stub := self._stubs.get(id(value))) is not None:
            return writer.handle(b"j", stub[1])
        if type(value).__name__ in self._classes and hasattr(value, "__dict__"):
            return writer.instance(value)
        if writer.plain(value) or writer.known(value):
            return None
        number = self._numbers.setdefault(id(value), len(self._objects))
        if number == len(self._objects):
            self._objects.append(value)
        return writer.handle(b"o", number, type(value).__name__)

    def _object(self, tag: bytes, number: int, _text: str) -> Any:
        if tag == b"o":
            return self._objects[number]
        for stub, known in self._stubs.values():
            if known == number:
                return stub
        stub = _iterator(self._ask_judge, number) if tag == b"J" else _function(self._ask_judge, number)
        self._stubs[id(stub)] = (stub, number)
        return stub

    def _instance(self, name: str) -> Any:
        """Of the program's class of that name, or of a stand-in that has the attributes alone."""
        kind = self.names.get(name)
        if not isinstance(kind, type):
            kind = self._made.setdefault(name, type(name, (), {}))
        return object.__new__(kind)


def _contents(container: Any) -> tuple[Any, ...]:
    """What a container holds, in a form that does not change with it."""
    if isinstance(container, dict):
        return tuple(part for item in container.items() for part in item)
    if isinstance(container, list | set | bytearray):
        return tuple(container)
    return tuple(part for item in vars(container).items() for part in item)


def _function(ask: Callable[[int, tuple[Any, ...], dict[str, Any]], Any], number: int) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        return ask(number, args, kwargs)

    return function


def _iterator(ask: Callable[[int, tuple[Any, ...], dict[str, Any]], Any], number: int) -> Iterator[Any]:
    while True:
        try:
            item = ask(number, (), {})
        except StopIteration:
            return
        yield item


OPERATIONS: dict[str, Callable[..., Any]] = {
    "load": _Side.load,
    "global": _Side.global_name,
    "call": lambda _, function, args, kwargs: function(*args, **kwargs),
    "get": lambda _, value, name: getattr(value, name),
    "set": lambda _, value, name, new: setattr(value, name, new),
    "item": lambda _, value, key: value[key],
    "set item": lambda _, value, key, new: value.__setitem__(key, new),
    "delete item": lambda _, value, key: value.__delitem__(key),
    "len": lambda _, value: len(value),
    "iter": lambda _, value: iter(value),
    "next": lambda _, value: next(value),
    "str": lambda _, value: str(value),
    "repr": lambda _, value: repr(value),
    "bool": lambda _, value: bool(value),
    "int": lambda _, value: int(value),
    "float": lambda _, value: float(value),
    "index": lambda _, value: value.__index__(),
    "abs": lambda _, value: abs(value),
    "neg": lambda _, value: -value,
    "operate": lambda _, name, value, other: getattr(operator, f"__{name}__")(value, other),
    "run": lambda _, coroutine: __import__("asyncio").run(coroutine),
    "compares": lambda _, value: (repr(value), type(value).__eq__ is not object.__eq__),
    "is instance": lambda _, value, kind: isinstance(value, kind),
}
"""What the judge can ask for. None of it hands what a test compares with to the program."""
