"""JSON that others wrote."""

import json
from collections.abc import Callable
from typing import Any, cast

import orjson

NESTED = "it is nested too deeply"
_KEY_ENDS = ('":', '" :', '"\t:')


def parse_json(text: bytes | str | memoryview) -> Any:
    """The value; knows NaN and lone surrogates, which orjson refuses. ValueError for whatever is no JSON."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return load_json(bytes(text) if isinstance(text, memoryview) else text)


def load_json(text: bytes | str, pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """As `json.loads`, whose errors name line and column; ValueError also for what is nested too deeply."""
    try:
        return json.loads(text, object_pairs_hook=pairs_hook)
    except RecursionError:
        raise ValueError(NESTED) from None


def load_json_object(text: str) -> Any:
    """As `load_json`; ValueError naming a key that stands twice in one object.

    Only where the text seems to have more keys than the value is it read again, key by key.
    """
    value = load_json(text)
    if sum(text.count(end) for end in _KEY_ENDS) > _keys(value):
        load_json(text, each_once)
    return value


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of these pairs; ValueError naming a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        name = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise ValueError(f"{name!r} stands twice in one object")
    return found


def _keys(value: Any) -> int:
    """How many keys there are in all objects of the value."""
    count = 0
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is dict:
            members = cast(dict[str, Any], item)
            count += len(members)
            waiting += members.values()
        elif type(item) is list:
            waiting += item
    return count
