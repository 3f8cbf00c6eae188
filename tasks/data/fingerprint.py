"""What identifies the content of a dataset, wherever it was read from."""

import hashlib

import orjson

from tasks.data.interface import Row, Rows
from tasks.spec.storage.canonical import canonical_json
from tasks.spec.storage.jsonable import jsonable


def fingerprints(train: Rows, test: Rows) -> tuple[str, str]:
    """SHA-256 over all rows of both splits, and over those of the test split, in file order, as 64 hex digits each.

    A split used twice is read once.
    """
    test_digest = rows_digest(test)
    splits = [test_digest] if train is test else [rows_digest(train), test_digest]
    return hashlib.sha256("/".join(splits).encode("ascii")).hexdigest(), test_digest


def rows_digest(rows: Rows) -> str:
    """SHA-256 over the rows, independent of the order of their columns."""
    total = hashlib.sha256()
    for row in rows:
        total.update(_row_bytes(row))
        total.update(b"\n")
    return total.hexdigest()


def _row_bytes(row: Row) -> bytes:
    try:
        return orjson.dumps(row, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # values beyond JSON, lone surrogates, very large integers
        return canonical_json(jsonable(row))
