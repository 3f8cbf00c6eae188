"""JSON that others wrote."""

import json
from collections.abc import Callable
from typing import Any

import orjson

NESTED = "it is nested too deeply"


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
