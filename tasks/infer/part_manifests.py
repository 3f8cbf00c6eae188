"""The file that says a part of a pair is through: which requests make up each of its rows.

One line per row with the keys of its requests, in the order they were asked, below a header. It lets a
resumed run skip the part without rendering a prompt, and `collect` find each sample's answers.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tasks.spec.storage.checksum import opened, sealed
from tasks.spec.storage.run_folder import replacing, write_atomically

_SHORT = 32
"""Hex digits of a request key that suffice to find its record."""
_BYTES = _SHORT // 2


class PartManifest(BaseModel):
    """What is known of a finished part; small enough to be a cached task result."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    """Shard key of the part."""
    path: str
    """The part file, relative to the pair's ledger folder."""
    start: int
    rows: int
    errors: int
    """Samples whose answer could not be had; a part that has any is run again by a resumed run."""
    sha256: str
    """Of the part file."""

    def is_intact(self, ledger_folder: Path) -> bool:
        """Whether the part is finished for good and its file is the one described here."""
        if self.errors:
            return False
        try:
            with (ledger_folder / self.path).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256
        except OSError:
            return False


class PartKeys:
    """The keys of the requests of each row, while the rows are asked: 16 bytes where a row has one request."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self._single = bytearray(rows * _BYTES)
        self._several: dict[int, tuple[bytes, ...]] = {}

    def put(self, row: int, keys: Sequence[str]) -> None:
        """Notes the keys of a row, in the order they were asked."""
        short = tuple(bytes.fromhex(key[:_SHORT]) for key in keys)
        if len(short) == 1:
            self._single[row * _BYTES : (row + 1) * _BYTES] = short[0]
        else:
            self._several[row] = short

    def lines(self) -> Iterator[bytes]:
        """One per row."""
        for row in range(self.rows):
            keys = self._several.get(row, (self._single[row * _BYTES : (row + 1) * _BYTES],))
            yield " ".join(key.hex() for key in keys).encode("ascii") + b"\n"


def write_part(folder: Path, key: str, start: int, keys: PartKeys, errors: int) -> PartManifest:
    """Writes the part file, a line per row, and its manifest beside it."""
    name, content = f"{key[:_SHORT]}.part", hashlib.sha256()
    with replacing(folder / name) as temporary, temporary.open("wb") as file:
        for line in keys.lines():
            file.write(line)
            content.update(line)
    manifest = PartManifest(key=key, path=name, start=start, rows=keys.rows, errors=errors, sha256=content.hexdigest())
    write_atomically(_manifest_path(folder, key), sealed(manifest.model_dump_json().encode()))
    return manifest


def read_manifest(folder: Path, key: str) -> PartManifest | None:
    """The manifest of the part with this shard key, if it ran to its end and its file is there."""
    try:
        manifest = PartManifest.model_validate_json(opened(_manifest_path(folder, key).read_bytes()))
    except (OSError, ValueError):
        return None
    return manifest if manifest.key == key else None


def finished_manifest(folder: Path, key: str) -> PartManifest | None:
    """The manifest of a part that needs no further request, else None."""
    manifest = read_manifest(folder, key)
    return manifest if manifest and manifest.is_intact(folder) else None


def forget_part(folder: Path, manifest: PartManifest) -> None:
    """The part counts as unfinished from now on; its answers stay."""
    _manifest_path(folder, manifest.key).unlink(missing_ok=True)


def read_part(folder: Path, manifest: PartManifest) -> Iterator[list[str]]:
    """The request keys of each row, cut to 32 hex digits."""
    with (folder / manifest.path).open(encoding="ascii") as file:
        for line in file:
            yield line.split()


def _manifest_path(folder: Path, key: str) -> Path:
    return folder / f"{key[:_SHORT]}.json"
