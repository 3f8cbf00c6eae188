"""Values as plain data, the form in which calls and answers travel between a program and its judge.

Numbers, texts, bytes, tuples, lists, dicts, sets and a few types of the standard library travel as what they are;
instances of subclasses as instances of the plain type. Each side says what becomes of anything else. Containers that
can change are numbered in the order in which they are met, so that one that is met twice stays one.
"""

import builtins
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

_DEPTH = 200
_SIZE = struct.Struct("<I")
_FLOAT = struct.Struct("<d")
_SINGLES = {b"N": None, b"T": True, b"F": False, b".": Ellipsis, b"!": NotImplemented}
HANDLES = (b"o", b"j", b"J")
"""Tags of what stays on the program's side, and of functions and iterators of the judge's side."""
_TYPES = {value.__name__: value for value in vars(builtins).values() if isinstance(value, type)}
_FIELDS = {
    "decimal.Decimal": (),
    "fractions.Fraction": ("numerator", "denominator"),
    "datetime.date": ("year", "month", "day"),
    "datetime.time": ("hour", "minute", "second", "microsecond"),
    "datetime.datetime": ("year", "month", "day", "hour", "minute", "second", "microsecond"),
    "datetime.timedelta": ("days", "seconds", "microseconds"),
    "builtins.range": ("start", "stop", "step"),
}
"""Types of the standard library that are made again from these attributes, or from their text."""


class Malformed(Exception):
    """The bytes are no value."""


class Writer:
    """Writes values into `data`; `special` writes those that are no plain data, by the methods of this class."""

    def __init__(self, special: "Callable[[Writer, Any], None]", containers: Iterable[Any] = ()) -> None:
        self.data = bytearray()
        self.containers = list(containers)
        self._special = special
        self._places = {id(container): place for place, container in enumerate(self.containers)}

    def write(self, value: Any) -> None:
        kind = type(value)
        write = self.writers.get(kind)
        if write is None:
            return self._special(self, value)
        return write(self, value)

    def plain(self, value: Any) -> bool:
        """Writes an instance of a subclass of a plain type as one of that type; False if it is none."""
        for base in type(value).__mro__:
            if write := self.writers.get(base):
                write(self, value)
                return True
        return False

    def known(self, value: Any) -> bool:
        """Writes a type of the language, or an instance of a known one; False if it is neither."""
        if isinstance(value, type) and _TYPES.get(value.__name__) is value:
            self.sized(b"Y", value.__name__.encode())
            return True
        name = f"{type(value).__module__}.{type(value).__qualname__}"
        if name not in _FIELDS or getattr(value, "tzinfo", None) is not None:
            return False
        self.sized(b"K", name.encode())
        self.write(tuple(getattr(value, field) for field in _FIELDS[name]) or (str(value),))
        return True

    def instance(self, value: Any) -> None:
        """Writes the name of the class and the attributes."""
        if self._is_new(value):
            self.sized(b"x", type(value).__name__.encode("utf-8", "surrogatepass"))
            self.write(dict(vars(value)))

    def handle(self, tag: bytes, number: int, text: str = "") -> None:
        """Writes the number of an object that stays where it is."""
        self.data += tag + _SIZE.pack(number)
        self.sized(b"", text.encode("utf-8", "surrogatepass"))

    def sized(self, tag: bytes, content: bytes) -> None:
        self.data += tag + _SIZE.pack(len(content)) + content

    def _is_new(self, container: Any) -> bool:
        """False if the container was written before: then its number is written."""
        place = self._places.get(id(container))
        if place is None:
            self._places[id(container)] = len(self.containers)
            self.containers.append(container)
            return True
        self.data += b"p" + _SIZE.pack(place)
        return False

    def _items(self, tag: bytes, items: Sequence[Any] | set[Any] | frozenset[Any]) -> None:
        self.data += tag + _SIZE.pack(len(items))
        for item in items:
            self.write(item)

    def _single(self, value: Any) -> None:
        self.data += next(tag for tag, single in _SINGLES.items() if single is value)

    def _int(self, value: int) -> None:
        size = int.bit_length(value) // 8 + 1
        self.sized(b"i", int.to_bytes(value, size, "little", signed=True))

    def _float(self, value: float) -> None:
        self.data += b"f" + _FLOAT.pack(float.__pos__(value))

    def _complex(self, value: complex) -> None:
        plain = complex.__pos__(value)
        self.data += b"c" + _FLOAT.pack(plain.real) + _FLOAT.pack(plain.imag)

    def _str(self, value: str) -> None:
        self.sized(b"s", str.encode(value, "utf-8", "surrogatepass"))

    def _bytes(self, value: bytes) -> None:
        self.sized(b"b", bytes.__getitem__(value, slice(None)))

    def _bytearray(self, value: bytearray) -> None:
        if self._is_new(value):
            self.sized(b"a", bytes(value))

    def _tuple(self, value: tuple[Any, ...]) -> None:
        self._items(b"t", tuple.__getitem__(value, slice(None)))

    def _list(self, value: list[Any]) -> None:
        if self._is_new(value):
            self._items(b"l", list.__getitem__(value, slice(None)))

    def _set(self, value: set[Any]) -> None:
        if self._is_new(value):
            self._items(b"e", set.copy(value))

    def _frozenset(self, value: frozenset[Any]) -> None:
        self._items(b"z", frozenset.copy(value))

    def _dict(self, value: dict[Any, Any]) -> None:
        if self._is_new(value):
            items = list(dict.items(value))
            self.data += b"d" + _SIZE.pack(len(items))
            for key, item in items:
                self.write(key)
                self.write(item)

    writers: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        type(None): _single, bool: _single, type(Ellipsis): _single, type(NotImplemented): _single, int: _int,
        float: _float, complex: _complex, str: _str, bytes: _bytes, bytearray: _bytearray, tuple: _tuple, list: _list,
        set: _set, frozenset: _frozenset, dict: _dict,
    }  # fmt: skip


class Reader:
    """Reads values from `data`; `special` gets the tag, number and text of a handle, `instance` a name of a class."""

    def __init__(
        self,
        data: bytes,
        special: Callable[[bytes, int, str], Any],
        instance: Callable[[str], Any],
        containers: Iterable[Any] = (),
    ) -> None:
        self.containers = list(containers)
        self._data, self._place, self._depth = data, 0, 0
        self._special, self._instance = special, instance

    def all(self) -> Any:
        """The only value; Malformed if the data are not exactly one value."""
        try:
            value = self._read()
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise Malformed(f"{type(error).__name__}: {error}") from None
        if self._place != len(self._data):
            raise Malformed("there is more than one value")
        return value

    def _read(self) -> Any:
        tag = self._take(1)
        if tag in _SINGLES:
            return _SINGLES[tag]
        if self._depth > _DEPTH:
            raise Malformed("it is nested too deeply")
        self._depth += 1
        value = self._handle(tag) if tag in HANDLES else self.readers[tag](self)
        self._depth -= 1
        return value

    def _take(self, size: int) -> bytes:
        part = self._data[self._place : self._place + size]
        if len(part) != size:
            raise Malformed("it ends too early")
        self._place += size
        return part

    def _number(self) -> int:
        return _SIZE.unpack(self._take(4))[0]

    def _sized(self) -> bytes:
        return self._take(self._number())

    def _text(self) -> str:
        return self._sized().decode("utf-8", "surrogatepass")

    def _many(self) -> list[Any]:
        items: list[Any] = []
        for _ in range(self._number()):
            items.append(self._read())  # noqa: PERF401 a comprehension is one more frame per level
        return items

    def _new(self, container: Any) -> Any:
        self.containers.append(container)
        return container

    def _int(self) -> int:
        return int.from_bytes(self._sized(), "little", signed=True)

    def _float(self) -> float:
        return _FLOAT.unpack(self._take(8))[0]

    def _complex(self) -> complex:
        return complex(self._float(), self._float())

    def _bytearray(self) -> bytearray:
        return self._new(bytearray(self._sized()))

    def _list(self) -> list[Any]:
        made = self._new([])
        made.extend(self._many())
        return made

    def _set(self) -> set[Any]:
        made = self._new(set())
        made.update(self._many())
        return made

    def _dict(self) -> dict[Any, Any]:
        made = self._new({})
        for _ in range(self._number()):
            key = self._read()
            made[key] = self._read()
        return made

    def _instance_of(self) -> Any:
        made = self._new(self._instance(self._text()))
        made.__dict__.update(self._read())
        return made

    def _known(self) -> Any:
        name = self._text()
        if name not in _FIELDS:
            raise Malformed("its type is not known")
        module, _, kind = name.partition(".")
        __import__(module)
        return getattr(sys.modules[module], kind)(*self._read())

    def _handle(self, tag: bytes) -> Any:
        return self._special(tag, self._number(), self._text())

    def _frozen(self) -> frozenset[Any]:
        return frozenset(self._many())

    def _sequence(self) -> tuple[Any, ...]:
        return tuple(self._many())

    def _again(self) -> Any:
        return self.containers[self._number()]

    def _type(self) -> type:
        return _TYPES[self._text()]

    readers: ClassVar[dict[bytes, Callable[[Any], Any]]] = {
        b"i": _int, b"f": _float, b"c": _complex, b"s": _text, b"b": _sized, b"a": _bytearray, b"t": _sequence,
        b"l": _list, b"e": _set, b"z": _frozen, b"d": _dict, b"x": _instance_of, b"p": _again, b"Y": _type,
        b"K": _known,
    }  # fmt: skip
