"""The ledger of a pair: append-only JSON lines that hold every answer, whatever happens to the process.

Each writer has a file of its own and a resumed run starts a new one, because appending after a torn
line would destroy the next record. Every record reaches the kernel with one write, and ends with its
checksum. A line that is not what was written costs that record alone. Nothing is ever deleted here.
"""

import json
import logging
import os
import threading
import time
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Any

import orjson

from tasks.infer.ledger.index import LedgerIndex
from tasks.infer.ledger.records import RequestRecord, check_record
from tasks.spec.status import Status
from tasks.spec.storage.checksum import has_seal, opened, sealed
from tasks.spec.storage.json_text import parse_json

_log = logging.getLogger(__name__)

_NO_RECORD = (ValueError, KeyError, TypeError)
_MOST_TOLD = 8
_OFFSET_BITS = 48
"""A location is one integer: file number, byte offset, and in the lowest bit whether the record is final."""


class LedgerError(Exception):
    """An answer could not be written down (disk full, folder gone)."""


class Ledger:
    """Answers of one pair by request key; one instance per pair and process, safe to use from several threads.

    Memory stays small: texts, and the index of many records, lie on the disk.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = threading.Lock()
        self._index = LedgerIndex()
        self._files: list[Path] = []
        self._readers: dict[int, FileIO] = {}
        self._writer: FileIO | None = None
        self._writer_number = -1
        for path in sorted(folder.glob("*.jsonl")):
            self._scan(path)

    def __len__(self) -> int:
        return len(self._index)

    @property
    def answered(self) -> int:
        """Requests that are answered for good."""
        return self._index.odd()

    def has_answer(self, key: str) -> bool:
        """Whether the request is answered for good; an error is not an answer."""
        location = self._index.get(key)
        return location is not None and bool(location & 1)

    def get(self, key: str) -> RequestRecord | None:
        """The record of a request, an error included; None if there is none or it was damaged.

        `key` may be cut to its first 32 hex digits.
        """
        location = self._index.get(key)
        if location is None:
            return None
        number, offset = location >> _OFFSET_BITS, (location >> 1) & (2 ** (_OFFSET_BITS - 1) - 1)
        with self._lock:
            reader = self._readers.get(number)
            if reader is None:
                reader = self._readers[number] = self._files[number].open("rb", buffering=0)
            line = _read_line(reader, offset)
        try:
            return RequestRecord.from_json(parse_json(opened(line)))
        except _NO_RECORD:
            _log.warning(
                "%s: the record at byte %d is damaged; its request counts as open", self._files[number], offset
            )
            return None

    def append(self, record: RequestRecord) -> None:
        """Writes the record down before it returns; LedgerError if that fails."""
        line = sealed(dump_json(record.to_json())) + b"\n"
        with self._lock:
            if self._writer is None:
                self._open_writer()
            assert self._writer is not None
            try:
                offset = self._writer.tell()
                written = self._writer.write(line)
                if written != len(line):
                    raise OSError("the disk took only a part of the record")
            except OSError as error:
                self._writer.close()
                self._writer = None
                raise LedgerError(f"cannot write to {self._files[-1]}: {error}") from error
            self._note(record.key, self._writer_number, offset, record.result.status)

    def close(self) -> None:
        """Closes the files; what the ledger holds is known no more."""
        with self._lock:
            for file in (self._writer, *self._readers.values()):
                if file is not None:
                    file.close()
            self._writer = None
            self._readers.clear()
        self._index.close()

    def _open_writer(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{time.time_ns():020d}-{os.getpid()}.jsonl"
            self._writer = path.open("xb", buffering=0)
        except OSError as error:
            raise LedgerError(f"cannot write to {self.folder}: {error}") from error
        self._files.append(path)
        self._writer_number = len(self._files) - 1

    def _scan(self, path: Path) -> None:
        number = len(self._files)
        self._files.append(path)
        damaged: list[int] = []
        are_sealed = False
        for count, (offset, line) in enumerate(_lines(path), 1):
            has_own = has_seal(line)
            are_sealed = are_sealed or has_own
            try:
                if are_sealed > has_own:  # only files of earlier versions have no checksums
                    raise ValueError("the checksum is gone")
                data = parse_json(opened(line))
                check_record(data)
                self._note(data["key"], number, offset, Status(data["status"]))
            except _NO_RECORD:
                damaged.append(count)
        if damaged:
            _log.warning("%s: %s; what was asked there is asked again", path, _told(damaged))

    def _note(self, key: str, number: int, offset: int, status: Status) -> None:
        if status.is_final or not self.has_answer(key):
            self._index.put(key, number << _OFFSET_BITS | offset << 1 | status.is_final)


def dump_json(value: Any) -> bytes:
    """One line of JSON; text that UTF-8 cannot hold is escaped, so that it reads back exactly."""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:
        return json.dumps(value, ensure_ascii=True, default=str).encode("ascii")


def _told(lines: list[int]) -> str:
    shown = ", ".join(map(str, lines[:_MOST_TOLD])) + (" …" if len(lines) > _MOST_TOLD else "")
    return f"line {shown} is damaged" if len(lines) == 1 else f"{len(lines)} lines are damaged: {shown}"


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    offset = 0
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield offset, line[:-1]
            elif line.strip():
                _log.info("%s: the last record was cut off in the middle; its request is asked again", path)
            offset += len(line)


def _read_line(file: FileIO, offset: int) -> bytes:
    chunks: list[bytes] = []
    while True:
        chunk = os.pread(file.fileno(), 65536, offset)
        end = chunk.find(b"\n")
        if end >= 0 or not chunk:
            chunks.append(chunk[:end] if end >= 0 else chunk)
            return b"".join(chunks)
        chunks.append(chunk)
        offset += len(chunk)
