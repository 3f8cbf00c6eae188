"""The names of types in keys: they stay the same when code moves to another module."""

from functools import cache
from typing import Any, cast

from tasks.spec.names.moved_modules import earlier_path
from tasks.spec.names.type_table import entry_of
from tasks.spec.names.version_0_1 import TYPES

_ROOTS = ("tasks.", "blocks.")


def key_name(dotted: str) -> str:
    """The name of a type in keys: that of version 0.1, `compass.` and OpenCompass's path for newer types of ours.

    The path of a user's or of OpenCompass's own class is its name.
    """
    if not dotted.startswith(_ROOTS):
        return dotted
    entry = entry_of(dotted)
    if entry is None:
        return earlier_path(dotted)
    return _first_paths().get(entry.name) or f"compass.{entry.package}.{entry.name}"


def with_key_names(value: Any) -> Any:
    """A configuration in JSON types, with the names that its types have in keys."""
    if isinstance(value, str):
        return key_name(value) if value.startswith(_ROOTS) else value
    if isinstance(value, dict):
        return {name: with_key_names(item) for name, item in cast("dict[str, Any]", value).items()}
    return [with_key_names(item) for item in cast("list[Any]", value)] if isinstance(value, list) else value


@cache
def _first_paths() -> dict[str, str]:
    return {name: f"{module}.{name}" for module, names in TYPES.items() for name in names.split()}
