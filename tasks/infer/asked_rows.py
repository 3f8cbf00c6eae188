"""Which rows the predictions of a pair answer: a digest of each, so that scoring notices other data."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from tasks.data.interface import LoadedDataset, PlannedRow, Row
from tasks.spec.identity import row_digest
from tasks.spec.specs import DatasetSpec, ReaderSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, replacing

FILE = "asked_rows"
"""In the pair's ledger folder; it stays where the ledger is cleaned."""
_SIZE = 8
"""Bytes of a digest."""


def write_asked_rows(
    folder: RunFolder, pair: Pair, dataset: DatasetSpec, data: LoadedDataset, rows: Sequence[PlannedRow]
) -> None:
    """Writes the digests of one pass over the rows."""
    with replacing(_path(folder, pair)) as temporary, temporary.open("wb", buffering=1 << 20) as file:
        for planned in rows[: len(rows) // dataset.n]:
            file.write(_digest(data.test[planned.row], dataset.reader))


def changed_rows(
    folder: RunFolder, pair: Pair, dataset: DatasetSpec, data: LoadedDataset, rows: Sequence[PlannedRow]
) -> list[int]:
    """Numbers of the rows whose question or reference is not the one that was asked; none where nothing tells."""
    try:
        asked = _path(folder, pair).read_bytes()
    except OSError:
        return []
    once = rows[: min(len(rows) // dataset.n, len(asked) // _SIZE)]
    return [
        planned.row
        for place, planned in enumerate(once)
        if asked[place * _SIZE : (place + 1) * _SIZE] != _digest(data.test[planned.row], dataset.reader)
    ]


def _digest(row: Row, reader: ReaderSpec) -> bytes:
    output = [reader.output_column] if reader.output_column else []
    return blake2b(row_digest(row, [*reader.input_columns, *output]).encode(), digest_size=_SIZE).digest()


def _path(folder: RunFolder, pair: Pair) -> Path:
    return folder.ledger(pair) / FILE
