"""Values kept in an unnamed temporary file instead of in memory."""

import json
import os
import tempfile
import threading
import weakref
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, overload

import orjson

from tasks.spec.storage.json_text import parse_json

_BLOCK = 256
"""Values that are read at once when all are."""
_MANY = 1000
"""Fewer rows are not worth a file."""


class Spool(Sequence[Any]):
    """JSON values in the order they were added; memory holds 8 bytes each. Safe to use from several threads.

    Lone surrogates are kept; what is not JSON comes back as orjson writes it, or raises TypeError.
    """

    def __init__(self, values: Iterable[Any] = ()) -> None:
        self._file = tempfile.TemporaryFile(prefix="compass-")  # noqa: SIM115 open as long as this object lives
        weakref.finalize(self, self._file.close)
        self._lock = threading.Lock()
        self._ends = array("Q", [0])
        self._flushed = True
        for value in values:
            self.append(value)

    def append(self, value: Any) -> None:
        """Adds a value; OSError if the disk is full."""
        data = _dump(value)
        with self._lock:
            self._flushed = False
            self._file.write(data)
            self._ends.append(self._ends[-1] + len(data))

    def flush(self) -> None:
        """Hands everything to the disk; OSError if it is full."""
        if not self._flushed:
            with self._lock:
                self._file.flush()
                self._flushed = True

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        start, end = self._ends[places], self._ends[places + 1]
        return parse_json(self._read(start, end))

    def __iter__(self) -> Iterator[Any]:
        """As many values as there are when it begins, read a block at a time."""
        count = len(self)
        for first in range(0, count, _BLOCK):
            last = min(first + _BLOCK, count)
            start = self._ends[first]
            block = self._read(start, self._ends[last])
            for place in range(first, last):
                yield parse_json(block[self._ends[place] - start : self._ends[place + 1] - start])

    def _read(self, start: int, end: int) -> memoryview:
        self.flush()
        return memoryview(os.pread(self._file.fileno(), end - start, start))


def _dump(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # lone surrogates and large integers
        return json.dumps(value).encode("ascii")


def spooled(rows: Iterable[Any]) -> Sequence[Any]:
    """The rows: on disk where they are many, in memory where a spool would not give back exactly what goes in.

    OSError if the disk is full.
    """
    remaining = iter(rows)
    first = list(islice(remaining, _MANY))
    if len(first) < _MANY:
        return first
    spool = Spool()
    for row in chain(first, remaining):
        if not _is_plain(row):
            return [*spool, row, *remaining]
        spool.append(row)
    spool.flush()
    return spool


def _is_plain(value: Any) -> bool:
    try:
        return parse_json(memoryview(_dump(value))) == value
    except TypeError:
        return False
