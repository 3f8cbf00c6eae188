"""The judge's side of the channel: objects of the program, whose use becomes requests, and what comes back.

A comparison is never a request: the program does not learn what a test expects. Two of its objects are equal if they
are the same one, or of one type and shown alike; none is equal to anything that a test has.
"""

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from tasks.score.sandbox.inside.channel import Ended, TooLarge, is_silent, receive, send
from tasks.score.sandbox.inside.errors import describe, rebuild
from tasks.score.sandbox.inside.values import Malformed, Reader, Writer

_stdout = sys.stdout


class Remote:
    """An object of the program."""

    __slots__ = ("__kind", "__number", "__side")

    def __init__(self, side: "ProgramSide", number: int, kind: str) -> None:
        set_own = object.__setattr__
        set_own(self, "_Remote__side", side)
        set_own(self, "_Remote__number", number)
        set_own(self, "_Remote__kind", kind)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__side.ask("call", self, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        return self.__side.ask("get", self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__side.ask("set", self, name, value)

    def __getitem__(self, key: Any) -> Any:
        return self.__side.ask("item", self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__side.ask("set item", self, key, value)

    def __delitem__(self, key: Any) -> None:
        self.__side.ask("delete item", self, key)

    def __len__(self) -> int:
        return self.__side.ask("len", self)

    def __iter__(self) -> Any:
        return self.__side.ask("iter", self)

    def __next__(self) -> Any:
        return self.__side.ask("next", self)

    def __str__(self) -> str:
        return self.__side.ask("str", self)

    def __repr__(self) -> str:
        return self.__side.ask("repr", self)

    def __bool__(self) -> bool:
        return self.__side.ask("bool", self)

    def __int__(self) -> int:
        return self.__side.ask("int", self)

    def __float__(self) -> float:
        return self.__side.ask("float", self)

    def __index__(self) -> int:
        return self.__side.ask("index", self)

    def __abs__(self) -> Any:
        return self.__side.ask("abs", self)

    def __neg__(self) -> Any:
        return self.__side.ask("neg", self)

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, Remote) and self.__side.ask("is instance", value, self)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Remote) or self.__kind != other.__kind:
            return False
        own, compares = self.__side.ask("compares", self)
        return compares and own == self.__side.ask("compares", other)[0]

    def __hash__(self) -> int:
        return hash(self.__kind)


def _operator(name: str) -> Callable[[Remote, object], Any]:
    """Between two objects of the program only: a value of the test may be what it expects."""

    def operate(self: Remote, other: object) -> Any:
        return side_of(self).ask("operate", name, self, other) if isinstance(other, Remote) else NotImplemented

    return operate


for _name in (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lt", "le", "gt", "ge",
):  # fmt: skip
    setattr(Remote, f"__{_name}__", _operator(_name))


def side_of(remote: Remote) -> "ProgramSide":
    """The side on which it is."""
    return object.__getattribute__(remote, "_Remote__side")


def number_of(remote: Remote) -> int:
    """Its number on the program's side."""
    return object.__getattribute__(remote, "_Remote__number")


class ProgramSide:
    """Asks the process of the program; whatever that sends beside its answers ends the hearing."""

    def __init__(self, channel: int, end: Callable[[str, str], NoReturn], *, data_only: bool) -> None:
        """`end` ends the hearing with a word and a text. With `data_only` calls return data and functions."""
        self.names: dict[str, Any] = {}
        self.classes: frozenset[str] = frozenset()
        self.exceptions: dict[str, type[BaseException]] = {}
        self._channel, self._end, self._data_only = channel, end, data_only
        self._expects_data = False
        self._remotes: dict[int, Remote] = {}
        self._given: list[Callable[..., Any]] = []
        self._numbers: dict[int, int] = {}

    def ask(self, operation: str, *operands: Any) -> Any:
        """What the program's side answers; raises what it says was raised."""
        nonce = os.urandom(8)
        self._expects_data = self._data_only and operation == "call"
        self.expect_silence()
        containers = self._send((nonce, operation, sys.stdout is not _stdout, *operands))
        while True:
            answer = self._receive(nonce, containers)
            if answer[0] != "callback":
                return self._taken(answer, containers)
            self._call_back(nonce, *answer[1:])

    def expect_silence(self) -> None:
        """Ends the hearing if the program says anything without being asked."""
        if not is_silent(self._channel):
            self._end("failed", "it wrote to its judge without being asked")

    def _send(self, message: tuple[Any, ...]) -> list[Any]:
        """The containers in the message, in the order of their numbers."""
        writer = Writer(self._special)
        writer.write(message)
        try:
            send(self._channel, writer.data)
        except Ended:
            self._end("gone", "")
        return writer.containers

    def _receive(self, nonce: bytes, containers: list[Any]) -> tuple[Any, ...]:
        try:
            answer = Reader(receive(self._channel), self._object, self._instance, containers).all()
        except Ended:
            self._end("gone", "")
        except (Malformed, TooLarge) as error:
            self._end("failed", f"its answer cannot be read: {error}")
        except MemoryError:
            self._end("failed", "its answer is larger than the memory of its judge")
        if not isinstance(answer, tuple) or len(answer) != 5 or answer[0] != nonce:
            self._end("failed", "it answered what it was not asked")
        return answer[1:]

    def _taken(self, answer: tuple[Any, ...], containers: list[Any]) -> Any:
        word, value, changes, output = answer
        try:
            for place, contents in changes:
                _change(containers[place], contents)
            if output and sys.stdout is not _stdout:
                sys.stdout.write(output)
            error = rebuild(value, self.names, self.exceptions) if word == "raised" else None
        except (TypeError, ValueError, LookupError, AttributeError):
            self._end("failed", "its answer has no meaning")
        if error is not None:
            raise error
        return value

    def _call_back(self, nonce: bytes, number: int, args: Any, kwargs: Any) -> None:
        try:
            reply = ("return", self._given[number](*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 the program gets to know it
            reply = ("raise", describe(error))
        self._send((nonce, *reply))

    def _special(self, writer: Writer, value: Any) -> None:
        if isinstance(value, Remote):
            return writer.handle(b"o", number_of(value))
        if self._is_own(type(value)) and hasattr(value, "__dict__"):
            return writer.instance(value)
        if writer.plain(value) or writer.known(value):
            return None
        if hasattr(value, "__next__"):
            return writer.handle(b"J", self._give(value, value.__next__))
        if callable(value):
            return writer.handle(b"j", self._give(value, value))
        raise TypeError(f"a test cannot give a value of type {type(value).__name__!r} to a program")

    def _give(self, value: Any, function: Callable[..., Any]) -> int:
        number = self._numbers.setdefault(id(value), len(self._given))
        if number == len(self._given):
            self._given.append(function)
        return number

    def _object(self, tag: bytes, number: int, kind: str) -> Any:
        if tag == b"j":
            return self._given[number]
        if tag != b"o" or (self._expects_data and kind != "function"):
            raise Malformed(f"it holds an object of type {kind!r}")
        remote = self._remotes.setdefault(number, Remote(self, number, kind))
        if kind == "coroutine":
            return _coroutine(self, remote)
        return _function(remote) if self._expects_data else remote

    def _instance(self, name: str) -> Any:
        kind = self.names[name]
        if not self._is_own(kind):
            raise Malformed(f"it holds an object of type {name!r}")
        return object.__new__(kind)

    def _is_own(self, kind: Any) -> bool:
        """Whether the tests, or what they are given, define the class."""
        return isinstance(kind, type) and kind.__name__ in self.classes and self.names.get(kind.__name__) is kind


def _function(remote: Remote) -> Callable[..., Any]:
    """What can be called, and nothing else."""
    return lambda *args, **kwargs: remote(*args, **kwargs)  # noqa: PLW0108 `remote` itself answers for more


async def _coroutine(side: ProgramSide, remote: Remote) -> Any:
    """One of the program, which runs there to its end."""
    return side.ask("run", remote)


def _change(container: Any, contents: Any) -> None:
    """Gives a container of the tests the contents that the program's one has now."""
    if isinstance(container, list | bytearray):
        container[:] = contents
    elif isinstance(container, set):
        container.clear()
        container.update(contents)
    else:
        own = container if isinstance(container, dict) else vars(container)
        own.clear()
        own.update(zip(contents[::2], contents[1::2], strict=True))
