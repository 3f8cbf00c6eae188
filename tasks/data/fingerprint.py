"""What identifies the content of a dataset, wherever it was read from."""

import hashlib

import orjson

from tasks.data.interface import Row, Rows
from tasks.spec.canonical import canonical_json
from tasks.spec.plain import jsonable


def fingerprint(train: Rows, test: Rows) -> str:
    """SHA-256 over all rows of both splits in file order, as 64 hex digits; a split used twice is read once."""
    splits = [rows_digest(test)] if train is test else [rows_digest(train), rows_digest(test)]
    return hashlib.sha256("/".join(splits).encode("ascii")).hexdigest()


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
