"""Compares what a configuration gives a class with what the class takes."""

import inspect
import types
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, Literal, Union, cast

from tasks.spec.findings import Finding, Place, nearest
from tasks.spec.values import ConfigDict

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_WORDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "True or False",
    list: "a list",
    dict: "a dict",
}


def argument_findings(
    function: Callable[..., Any],
    config: ConfigDict,
    *,
    what: str,
    path: str,
    framework: Collection[str] = (),
    injected: Collection[str] | None = (),
) -> list[Finding]:
    """What is wrong with the keys of `config`, which are arguments of `function` or `framework` keys.

    `path` is the key of the config itself (`models[0]`). Parameters in `injected` are not asked of the user; None:
    no parameter is.
    """
    parameters = _parameters(function)
    names = {name for name, parameter in parameters.items() if parameter.kind in _BY_NAME}
    open_ended = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters.values())
    given = [key for key in config if key != "type"]
    unknown = [] if open_ended else [key for key in given if key not in names and key not in framework]
    findings = [_unknown(config, key, what, path, {*names, *framework} - set(given)) for key in unknown]
    if injected is not None:
        findings += [
            Finding(f"{what} needs {name!r}", _at(config.place, path), f"add {name}=…")
            for name in names - set(given) - set(injected)
            if parameters[name].default is inspect.Parameter.empty
        ]
    return findings + [
        Finding(f"{what}: {key!r} is {expected}, not {_shown(config[key])}", _at(config.place_of(key), f"{path}.{key}"))
        for key in given
        if (expected := _mismatch(config[key], _hints(function).get(key, Any)))
    ]


def key_place(config: ConfigDict, key: str, path: str) -> Place:
    """The place of a key, named by its full path."""
    return _at(config.place_of(key), f"{path}.{key}")


def _at(place: Place, key: str) -> Place:
    return Place(place.file, place.line, key)


def _unknown(config: ConfigDict, key: str, what: str, path: str, valid: Collection[str]) -> Finding:
    return Finding(f"{what} has no option {key!r}", key_place(config, str(key), path), nearest(str(key), valid))


@cache
def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in C: nothing is known about it
        return {"anything": inspect.Parameter("anything", inspect.Parameter.VAR_KEYWORD)}


@cache
def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function.__init__ if isinstance(function, type) else function)
    except Exception:  # noqa: BLE001  annotations may name what is not imported; then types are simply not checked
        return {}


def _mismatch(value: Any, hint: Any) -> str | None:
    """What was expected, if the value is plainly of another basic type."""
    choices = _choices(hint)
    if not choices or any(_fits(value, choice) for choice in choices):
        return None
    words = [_words(choice) for choice in choices if choice is not type(None)]
    return " or ".join(dict.fromkeys(words))


def _choices(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a type; empty if one of them is not a basic type."""
    union = typing.get_origin(hint) in (Union, types.UnionType)
    choices = typing.get_args(hint) if union else (hint,)
    return choices if all(_is_basic(choice) for choice in choices) else ()


def _is_basic(hint: Any) -> bool:
    origin = typing.get_origin(hint) or hint
    return origin in (int, float, str, bool, list, tuple, dict, type(None), Literal, Sequence, Mapping)


def _fits(value: Any, hint: Any) -> bool:
    origin: Any = typing.get_origin(hint) or hint
    if origin is Literal:
        return value in typing.get_args(hint)
    if origin in (int, float):
        return isinstance(value, (int, float) if origin is float else int) and not isinstance(value, bool)
    if origin in (list, tuple, Sequence):
        return isinstance(value, list | tuple)
    return isinstance(value, dict if origin is Mapping else origin)


def _words(hint: Any) -> str:
    origin: Any = typing.get_origin(hint) or hint
    if origin is Literal:
        return " or ".join(map(repr, typing.get_args(hint)))
    origin = {tuple: list, Sequence: list, Mapping: dict}.get(origin, origin)
    return _WORDS[origin]


def _shown(value: Any) -> str:
    """What the value is, without a text that might be a secret."""
    if isinstance(value, bool | int | float | None):
        return repr(value)
    kind = next((kind for kind in (str, list, dict) if isinstance(value, kind)), None)
    return _WORDS[kind] if kind else type(cast(object, value)).__name__
