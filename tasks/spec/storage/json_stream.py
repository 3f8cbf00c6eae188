"""JSON files that others wrote, read piece by piece: memory holds one entry at a time."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

import ijson  # pyright: ignore[reportMissingTypeStubs]

from tasks.spec.storage.json_text import NESTED

_DEEPEST = 1000
"""Objects and lists inside each other; no file that a run wrote has more than a few."""
_parser = cast(Any, ijson)

Event = tuple[str, Any]


def json_events(file: BinaryIO) -> Iterator[Event]:
    """What `ijson.basic_parse` reads; ValueError for what is no JSON, or is nested so deeply that it takes memory."""
    depth = 0
    with _as_value_error():
        for event, value in _parser.basic_parse(file, use_float=True):
            depth += event in ("start_map", "start_array")
            depth -= event in ("end_map", "end_array")
            if depth > _DEEPEST:
                raise ValueError(NESTED)
            yield event, value


def json_items(file: BinaryIO, prefix: str) -> Iterator[Any]:
    """The values at this place, e.g. `details.item`; ValueError as `json_events`."""
    with _as_value_error():
        yield from _parser.items(_parser.parse(json_events(file)), prefix)


def json_entries(file: BinaryIO, prefix: str) -> Iterator[tuple[str, Any]]:
    """Keys and values of the object at this place; ValueError as `json_events`."""
    with _as_value_error():
        yield from _parser.kvitems(_parser.parse(json_events(file)), prefix)


def json_kind(file: BinaryIO, prefix: str) -> str | None:
    """The first event at this place, e.g. `start_array`; None where the file has nothing there."""
    with _as_value_error():
        found = (event for at, event, _ in _parser.parse(json_events(file)) if at == prefix)
        return next(found, None)


@contextmanager
def _as_value_error() -> Generator[None]:
    try:
        yield
    except _parser.JSONError as error:
        raise ValueError(str(error).strip()) from error
