"""JSON that others wrote."""

import json
from typing import Any

import orjson


def parse_json(text: bytes | str | memoryview) -> Any:
    """The value; knows NaN and lone surrogates, which orjson refuses. ValueError for whatever is no JSON."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(bytes(text) if isinstance(text, memoryview) else text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
