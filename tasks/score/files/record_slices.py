"""Predictions files in slices: the bytes of one record after the other, whatever the size of the file.

Both this system and OpenCompass indent by four blanks, and JSON text holds no raw line break: so a line that begins
with four blanks and a quotation mark begins a record, and nothing else does.
"""

from collections.abc import Iterator
from pathlib import Path

_HEAD = b'{\n    "'
_NEXT = b'\n    "'
_BLOCK = 1 << 20


def is_sliceable(path: Path) -> bool:
    """Whether the file is written the way that slices need."""
    with path.open("rb") as file:
        return file.read(len(_HEAD)) == _HEAD


def record_slices(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """Key and value of each record, both as they stand in the file."""
    with path.open("rb") as file:
        file.seek(len(_HEAD))
        rest = b""
        while block := file.read(_BLOCK):
            *pieces, rest = (rest + block).split(_NEXT)
            for piece in pieces:
                yield _cut(piece.rstrip().removesuffix(b","))
        yield _cut(rest.rstrip().removesuffix(b"}"))


def _cut(piece: bytes) -> tuple[bytes, bytes]:
    key, _, value = piece.partition(b'":')
    return key, value.strip()
