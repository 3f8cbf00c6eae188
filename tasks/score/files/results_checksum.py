"""The checksum of a results file, by which a score that was damaged or edited is told from one that was made.

It stands at the end of our own section, and is that of the whole file with eight zeros in its place.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

from tasks.spec.storage.checksum import DamagedError

SEAL_KEY = "file_crc32"
BLANK_SEAL = "0" * 8
_SEAL = re.compile(rb'\n        "%b": "([0-9a-f]{8})"\n    \}' % SEAL_KEY.encode())
_DETAILS = b'\n    "details": '
_BLOCK = 1 << 20


class _Seal(NamedTuple):
    place: int
    stands: bytes
    """The eight digits that stand there."""
    due: bytes


def seal(file: BinaryIO) -> None:
    """Puts the checksum of the file, which has a blank one and can be read, into its place."""
    file.seek(0)
    if found := _seal_in(_blocks_of(file)):
        file.seek(found.place)
        file.write(found.due)


def check_seal(blocks: Iterable[bytes]) -> None:
    """DamagedError unless the file, given in blocks, is what was written; one without a checksum passes."""
    found = _seal_in(blocks)
    if found and found.stands != found.due:
        raise DamagedError("it was damaged or changed after it was written; -m eval scores again")


def check_seal_of(path: Path) -> None:
    """As `check_seal`; OSError if there is no such file."""
    with path.open("rb") as file:
        check_seal(_blocks_of(file))


def _blocks_of(file: BinaryIO) -> Iterator[bytes]:
    """The file from where it stands, in blocks."""
    return iter(lambda: file.read(_BLOCK), b"")


def _seal_in(blocks: Iterable[bytes]) -> _Seal | None:
    rest = iter(blocks)
    head = b""
    for block in rest:
        head += block
        if match := _SEAL.search(head):
            checksum = crc32(head[match.end(1) :], crc32(BLANK_SEAL.encode(), crc32(head[: match.start(1)])))
            for later in rest:
                checksum = crc32(later, checksum)
            return _Seal(match.start(1), match[1], b"%08x" % checksum)
        if _DETAILS in head:
            break
    return None
