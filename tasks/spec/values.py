"""The values of a configuration file: dicts that know where they were written, and names of things not yet imported."""

import sys
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, NoReturn, Self

from tasks.spec.findings import Finding, Place, UserError

FILE_MARK = "__config_file__"
"""Global name by which the code of a configuration file is recognised; its value is the file's path."""

CONFIG_MODULE = "__config__"
"""Value of `__name__` while a configuration file runs; classes defined in one have it as their module."""


Line = tuple[str | None, int | None]
"""File and line, from 1."""


class ConfigDict(dict[Any, Any]):
    """A dict whose items are attributes as well, and which knows the file and line of itself and of its keys."""

    __slots__ = ("_lines", "_place")

    def __init__(self, values: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (), /, **items: Any) -> None:
        super().__init__(values, **items)
        object.__setattr__(self, "_place", values.place if isinstance(values, ConfigDict) else Place())
        object.__setattr__(self, "_lines", values.lines if isinstance(values, ConfigDict) else {})

    @classmethod
    def placed(cls, values: Mapping[Any, Any], place: Place, lines: Mapping[Any, Line]) -> Self:
        """The values with the place of the dict, and file and line of keys."""
        new = cls(values)
        object.__setattr__(new, "_place", place)
        new._lines.update(lines)
        return new

    _place: Place
    _lines: dict[Any, Line]

    @property
    def place(self) -> Place:
        """File and line of the dict itself."""
        return self._place

    @property
    def lines(self) -> dict[Any, Line]:
        """File and line of the keys of which they are known."""
        return dict(self._lines)

    def place_of(self, key: Any) -> Place:
        """File and line where the key was set, or of the dict where that is not known."""
        file, line = self._lines.get(key, (self._place.file, self._place.line))
        return Place(file, line, str(key))

    def with_values(self, values: Mapping[Any, Any]) -> "ConfigDict":
        """Other values under the same keys, at the same places."""
        return ConfigDict.placed(values, self._place, self._lines)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            keys = ", ".join(map(str, self)) or "no keys"
            raise AttributeError(f"there is no {name!r} here; there are {keys}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __delattr__(self, name: str) -> None:
        try:
            del self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        caller = sys._getframe(1)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        if caller.f_code is ConfigDict.__setattr__.__code__:
            caller = caller.f_back or caller
        file = caller.f_globals.get(FILE_MARK)
        if file is not None:
            self._lines[key] = (file, caller.f_lineno)

    def __or__(self, other: Mapping[Any, Any]) -> "ConfigDict":  # pyright: ignore[reportIncompatibleMethodOverride]
        lines = other.lines if isinstance(other, ConfigDict) else {}
        return ConfigDict.placed({**self, **other}, self._place, {**self._lines, **lines})

    def deepcopy(self) -> Self:
        """A copy that shares nothing with this dict."""
        return deepcopy(self)

    def copy(self) -> Self:
        return self.__copy__()

    def __copy__(self) -> Self:
        return type(self)(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        new = type(self).placed({}, self._place, self._lines)
        memo[id(self)] = new
        new.update({deepcopy(key, memo): deepcopy(value, memo) for key, value in self.items()})
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfigDict.placed, (dict(self), self._place, self._lines)


class TypeRefMisuse(TypeError):
    """Something was done with a name that a configuration file can only mention."""


class TypeRef:
    """A name from a module that is not imported: what `from package import Name` binds in a configuration file."""

    __slots__ = ("dotted_path", "written_at")

    def __init__(self, dotted_path: str, written_at: Place | None = None) -> None:
        self.dotted_path = dotted_path
        """The name as the import spells it, e.g. `opencompass.models.OpenAISDK`."""
        self.written_at = written_at or Place()

    def __getattr__(self, name: str) -> "TypeRef":
        if name.startswith("__"):
            raise AttributeError(name)
        return TypeRef(f"{self.dotted_path}.{name}", self.written_at)

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeRefMisuse(
            f"{self.dotted_path} is not imported while the configuration is read, so it cannot be called here: "
            f"write dict(type={self.dotted_path.rpartition('.')[2]}, …), or put the code into a module of your own"
        )

    def _used_as_data(self, *_: Any) -> NoReturn:
        raise TypeRefMisuse(
            f"{self.dotted_path} was imported without read_base(), so it names a class or function here, not data: "
            f"put the import inside `with read_base():`"
        )

    __iter__ = __getitem__ = __add__ = __radd__ = _used_as_data

    def __mro_entries__(self, _: tuple[Any, ...]) -> NoReturn:
        raise TypeRefMisuse(f"no class can be derived from {self.dotted_path} here: put it into a module of your own")

    def __str__(self) -> str:
        return self.dotted_path

    def __repr__(self) -> str:
        return f"TypeRef({self.dotted_path!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypeRef) and other.dotted_path == self.dotted_path

    def __hash__(self) -> int:
        return hash((TypeRef, self.dotted_path))

    def __copy__(self) -> "TypeRef":
        return self

    def __deepcopy__(self, _: dict[int, Any]) -> "TypeRef":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return TypeRef, (self.dotted_path, self.written_at)


def as_config(value: Any, place: Place) -> Any:
    """The value with every plain dict in it turned into a ConfigDict; what is shared stays shared.

    Raises UserError for a value that contains itself.
    """
    return _Conversion(place).value(value)


class _Conversion:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._done: dict[int, Any] = {}
        self._open: set[int] = set()

    def value(self, value: Any) -> Any:
        return self._shared(value) if isinstance(value, dict | list | tuple) else value

    def _shared(self, value: Any) -> Any:
        if id(value) in self._open:
            raise UserError(Finding("a value contains itself", getattr(value, "place", self._place)))
        if id(value) not in self._done:
            self._open.add(id(value))
            self._done[id(value)] = self._container(value)
            self._open.remove(id(value))
        return self._done[id(value)]

    def _container(self, value: dict[Any, Any] | list[Any] | tuple[Any, ...]) -> Any:
        if isinstance(value, tuple):
            return tuple(self.value(item) for item in value)
        if isinstance(value, list):
            value[:] = [self.value(item) for item in value]
            return value
        config = value if isinstance(value, ConfigDict) else ConfigDict.placed({}, self._place, {})
        config.update({key: self.value(item) for key, item in value.items()})
        return config
