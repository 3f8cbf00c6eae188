"""Reads the details of a results file, as this system or OpenCompass wrote it, entry by entry."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from tasks.score.files.results_checksum import check_seal_of
from tasks.spec.storage.json_stream import json_entries, json_items, json_kind
from tasks.spec.storage.json_text import parse_json

Detail = dict[str, Any]

_HEAD = b'\n    "details": ['
_NEXT = b"\n        {"
_BLOCK = 1 << 20
_LARGE = 32 << 20
"""Bytes from which on a parser holds one entry at a time."""


def read_details(path: Path) -> Iterator[Detail]:
    """The details in order, one per row of the data; nothing where the file has none.

    Both this system and OpenCompass indent by four blanks, and JSON text holds no raw line break: so the entries of a
    list are lines of eight blanks and a brace. Anything else is read by a parser. OSError or ValueError if the file
    cannot be read, or is ours and not what was written.
    """
    check_seal_of(path)
    pieces = _pieces(path)
    if pieces is None:
        yield from _parsed(path)
        return
    for number, piece in enumerate(pieces):
        try:
            yield orjson.loads(piece)
        except orjson.JSONDecodeError:  # NaN, a lone surrogate, or another layout than expected
            yield from _from(number, _parsed(path))
            return


def _pieces(path: Path) -> Iterator[bytes] | None:
    """The text of each entry; None where the details are no list in the known layout."""
    file = path.open("rb")
    rest = b""
    while block := file.read(_BLOCK):
        rest += block
        start = rest.find(_HEAD)
        if start >= 0:
            return _cut(file, rest[start + len(_HEAD) :])
        rest = rest[-len(_HEAD) :]
    file.close()
    return None


def _cut(file: Any, rest: bytes) -> Iterator[bytes]:
    with file:
        number = 0
        while True:
            block = file.read(_BLOCK)
            *whole, rest = (rest + block).split(_NEXT)
            for piece in whole:
                if number:
                    yield b"{" + piece.rstrip().removesuffix(b",")
                number += 1
            if not block:
                break
        if number:
            yield b"{" + rest[: rest.rindex(b"\n    ]")] if b"\n    ]" in rest else b"{" + rest


def _parsed(path: Path) -> Iterator[Detail]:
    """As a whole where the file is small, which knows NaN as well; else one entry at a time."""
    if path.stat().st_size < _LARGE:
        content = parse_json(path.read_bytes())
        details = content.get("details") or [] if isinstance(content, dict) else []
        if not isinstance(details, list | dict):
            raise ValueError(f"the details are a {type(details).__name__}")
        entries: Iterable[Any] = _numbered(details.items()) if isinstance(details, dict) else details
        yield from map(_as_detail, entries)
        return
    with path.open("rb") as file:
        first = json_kind(file, "details")
    with path.open("rb") as file:
        if first == "start_array":
            yield from map(_as_detail, json_items(file, "details.item"))
        elif first == "start_map":
            yield from map(_as_detail, _numbered(json_entries(file, "details")))


def _numbered(items: Iterable[tuple[str, Any]]) -> Iterator[Any]:
    """OpenCompass keys details by number, and puts what is about all of them beside."""
    return (value for key, value in items if key.isdigit())


def _as_detail(entry: Any) -> Detail:
    return entry if isinstance(entry, dict) else {"detail": entry}


def _from(start: int, entries: Iterator[Detail]) -> Iterator[Detail]:
    for number, entry in enumerate(entries):
        if number >= start:
            yield entry
