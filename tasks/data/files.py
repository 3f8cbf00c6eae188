"""Reads rows from JSON-lines, CSV and Parquet files."""

import csv
import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.storage.json_text import load_json_object

_BOM = b"\xef\xbb\xbf"


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    """All rows of the file; see `iter_jsonl`."""
    return list(iter_jsonl(path))


def iter_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """One row per line; lines end at `\\n` only, since text may hold U+2028 and its like. Blank lines are skipped.

    A file whose name ends in `.gz` is unpacked. Raises UserError naming file and line for anything that is not a JSON
    object in UTF-8.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                line = raw.removeprefix(_BOM) if number == 1 else raw
                if line.strip():
                    yield _parse_line(line, Place(str(path), number))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError(Finding(f"cannot be unpacked: {error}", Place(str(path)))) from None


def read_csv(path: Path, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """One row per record, the first record naming the columns unless they are given; all values are text."""
    csv.field_size_limit(sys.maxsize)  # the default of 128 KiB is too small for long documents
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, columns, strict=True)
            _check_header(reader.fieldnames or (), path)
            return [_checked_record(record, reader.line_num, path) for record in reader]
    except UnicodeDecodeError as error:
        raise UserError(
            Finding(f"not UTF-8 text: {error.reason}", Place(str(path)), "save the file as UTF-8")
        ) from None
    except csv.Error as error:
        raise UserError(Finding(f"not CSV: {error}", Place(str(path)))) from None


def _check_header(names: Sequence[str], path: Path) -> None:
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise UserError(Finding(f"two columns have the name {twice!r}", Place(str(path), 1), "rename one of them"))


def _parse_line(line: bytes, place: Place) -> dict[str, Any]:
    try:
        row = load_json_object(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UserError(Finding(f"not UTF-8 text: {error.reason}", place, "save the file as UTF-8")) from None
    except json.JSONDecodeError as error:
        raise UserError(
            Finding(f"not JSON: {error.msg} at column {error.colno}", place, "every line must be one JSON object")
        ) from None
    except ValueError as error:  # nested too deeply; a number of too many digits
        raise UserError(Finding(f"cannot be read as JSON: {error}", place)) from None
    if not isinstance(row, dict):
        raise UserError(
            Finding(f"a {type(row).__name__} instead of a JSON object", place, "every line must be one JSON object")
        )
    return row


def _checked_record(record: dict[str | Any, Any], line: int, path: Path) -> dict[str, Any]:
    if None in record or None in record.values():
        raise UserError(
            Finding(
                "the record has more or fewer values than the header has columns",
                Place(str(path), line),
                'put values that hold a comma or a line break between double quotes (")',
            )
        )
    return record


def read_parquet(path: Path, **equal: Any) -> list[dict[str, Any]]:
    """One row per record whose columns have the values of `equal`, columns as the file has them.

    A finding about this machine where pyarrow is missing.
    """
    try:
        from pyarrow import ArrowException, parquet  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        remedy = "pip install 'compass-llm-eval[hub]'"
        message = f"{path}: Parquet files need the package pyarrow"
        raise UserError(Finding(message, remedy=remedy, kind=FindingKind.MACHINE)) from None
    try:
        conditions = [(column, "=", value) for column, value in equal.items()]
        return parquet.read_table(path, filters=conditions or None).to_pylist()
    except (ArrowException, OSError) as error:
        raise UserError(Finding(f"not a Parquet file: {error}", Place(str(path)))) from None
