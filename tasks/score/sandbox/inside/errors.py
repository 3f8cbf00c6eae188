"""Exceptions as plain data: what one side's code raised is raised on the other."""

import builtins
import contextlib
from collections.abc import Mapping
from typing import Any

Described = tuple[tuple[str, ...], tuple[Any, ...], str]
"""Names of the class and its bases, the arguments, the text."""


def describe(error: BaseException) -> Described:
    """Never raises, whatever the exception does when it is shown."""
    names = tuple(base.__name__ for base in type(error).__mro__)
    try:
        return names, tuple(error.args), str(error)
    except BaseException:  # noqa: BLE001 the program's own exceptions may raise when they are shown
        return names, (), ""


def rebuild(described: Any, own: Mapping[str, type], made: dict[str, type[BaseException]]) -> BaseException:
    """The exception of that class, of the language or in `own`; else of one in `made`, below its nearest known base."""
    names, args, text = described
    kinds = [kind for name in names if (kind := exception_class(name, own))]
    base = kinds[0] if kinds else Exception
    if not names or base.__name__ == names[0]:
        with contextlib.suppress(Exception):  # classes differ in the arguments that they take
            error = base(*args)
            if str(error) == text:
                return error
        return _with_text(_new(base.__name__, base), args, text)
    return _with_text(made.setdefault(names[0], _new(names[0], base)), args, text)


def exception_class(name: Any, own: Mapping[str, type]) -> type[BaseException] | None:
    """The class of that name; None if it is none that is known."""
    kind = own.get(name) or vars(builtins).get(name)
    return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None


def _new(name: str, base: type[BaseException]) -> type[BaseException]:
    return type(name, (base,), {"__str__": lambda self: self.text, "__init__": lambda *_: None})


def _with_text(kind: type[BaseException], args: tuple[Any, ...], text: str) -> BaseException:
    try:
        error = kind.__new__(kind, *args)
    except Exception:  # noqa: BLE001 as above
        error = _new(kind.__name__, Exception)()
    error.args, error.text = args, text  # pyright: ignore[reportAttributeAccessIssue]
    return error
