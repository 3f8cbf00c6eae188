"""Writes a configuration as Python text that `load_config` reads back to the same values."""

import keyword
import math
import unicodedata
from collections.abc import Iterable
from typing import Any, cast

from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.names.type_loading import written_type
from tasks.spec.secrets.redaction import redact
from tasks.spec.values import ConfigDict, TypeRef

_WIDTH = 100
_NEEDED_BY_THE_DUMP = frozenset({"dict", "float", "globals"})


def dump_config(values: ConfigDict) -> str:
    """The text of a configuration file: keys sorted, types as quoted dotted paths, references instead of secrets.

    Raises UserError naming the place of a value that no file can hold.
    """
    redacted: ConfigDict = redact(values)
    names = sorted(redacted)
    plain = [name for name in names if _is_identifier(name) and name not in _NEEDED_BY_THE_DUMP]
    lines = [f"{name} = {_Writer(redacted.place_of(name)).text(redacted[name], 0, name)}" for name in plain]
    others = {name: redacted[name] for name in names if name not in plain}
    if others:
        lines.append(f"globals().update({_Writer(redacted.place).braces(others, 0, '')})")
    return "\n\n".join(lines) + "\n"


class _Writer:
    """Writes one top-level value."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def text(self, value: Any, depth: int, name: str) -> str:
        """`name`: the key the value stands under."""
        if value is None or isinstance(value, bool | int | str):
            return repr(value)
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else f"float({str(value)!r})"
        if isinstance(value, dict | list | tuple):
            return self._container(cast(Any, value), depth, name)
        if isinstance(value, TypeRef | type) or callable(value):
            return repr(written_type(value, self._place))
        message = f"{self._place.key or name}: a value of type {type(value).__name__} cannot be written to a file"
        raise UserError(Finding(message, self._place, "use numbers, texts, lists, tuples and dicts only"))

    def _container(self, value: Any, depth: int, name: str) -> str:
        if isinstance(value, dict):
            return self._dict(cast(dict[Any, Any], value), depth, name)
        ends = "[]" if isinstance(value, list) else "()"
        return _joined(ends, [self.text(item, depth + 1, name) for item in cast(list[Any], value)], depth)

    def _dict(self, value: dict[Any, Any], depth: int, name: str) -> str:
        if not all(_is_identifier(key) for key in value):
            return self.braces(value, depth, name)
        items = [f"{key}={self._item(value, key, depth)}" for key in _ordered(value, name)]
        return _joined(("dict(", ")"), items, depth)

    def braces(self, value: dict[Any, Any], depth: int, name: str) -> str:
        items = [f"{self.text(key, depth, name)}: {self._item(value, key, depth)}" for key in _ordered(value, name)]
        return _joined("{}", items, depth)

    def _item(self, value: dict[Any, Any], key: Any, depth: int) -> str:
        outer, self._place = self._place, value.place_of(key) if isinstance(value, ConfigDict) else self._place
        text = self.text(value[key], depth + 1, str(key))
        self._place = outer
        return text


def _ordered(value: dict[Any, Any], name: str) -> Iterable[Any]:
    """Sorted keys, except that the labels of a template keep their order: it decides between equal scores."""
    return value if name == "template" else sorted(value, key=str)


def _joined(ends: Any, items: list[str], depth: int) -> str:
    opening, closing = ends
    comma = "," if ends == "()" and len(items) == 1 else ""
    line = f"{opening}{', '.join(items)}{comma}{closing}"
    if len(line) + 4 * depth <= _WIDTH and "\n" not in line:
        return line
    inner = "".join(f"{' ' * 4 * (depth + 1)}{item},\n" for item in items)
    return f"{opening}\n{inner}{' ' * 4 * depth}{closing}"


def _is_identifier(key: Any) -> bool:
    """Whether the key can be written as a name; Python reads names in their normal form, which some keys are not."""
    if not isinstance(key, str) or not key.isidentifier() or keyword.iskeyword(key):
        return False
    return unicodedata.normalize("NFKC", key) == key
