"""What is known of a predictions file that this system wrote, and whether the file still is that one."""

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tasks.spec.shard import FailureBudget
from tasks.spec.status import Status
from tasks.spec.storage.checksum import opened, sealed
from tasks.spec.storage.run_folder import Pair, RunFolder, write_atomically

FILE = "collected.json"
"""In the pair's ledger folder; it stays where the ledger is cleaned, so that damage to the predictions is noticed."""
FileState = Literal["as written", "changed", "damaged"]
"""Damage leaves the time of the last change alone; a program or a person that writes to a file does not."""


class Collected(BaseModel):
    """What a predictions file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    plan: str
    """Digest of the parts it was made from."""
    samples: int
    statuses: dict[str, int]
    """Samples by status."""
    main_error: str = ""
    """The most frequent reason among samples with status `error`."""
    size: int
    modified_ns: int
    sha256: str
    """Of the file."""

    @property
    def errors(self) -> int:
        return self.statuses.get(Status.ERROR, 0)

    def failure(self, budget: FailureBudget) -> str:
        """Why the pair counts as failed; empty if it does not."""
        if not budget.exceeded(self.errors, self.samples):
            return ""
        return f"{self.errors} of {self.samples} samples have no answer: {self.main_error}"

    def state_of(self, predictions: Path) -> FileState:
        """What became of the file since; reads all of it. OSError if it is gone."""
        stat = predictions.stat()
        if stat.st_size == self.size and sha256_of(predictions) == self.sha256:
            return "as written"
        return "damaged" if stat.st_mtime_ns == self.modified_ns else "changed"


def sha256_of(path: Path) -> str:
    """Of the file's content, as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_collected(folder: RunFolder, pair: Pair) -> Collected | None:
    """None where the pair has no predictions file that we wrote."""
    try:
        return Collected.model_validate_json(opened(_path(folder, pair).read_bytes()))
    except (OSError, ValueError):
        return None


def write_collected(folder: RunFolder, pair: Pair, collected: Collected) -> None:
    """Stands in the pair's ledger folder from now on."""
    write_atomically(_path(folder, pair), sealed(collected.model_dump_json().encode()))


def _path(folder: RunFolder, pair: Pair) -> Path:
    return folder.ledger(pair) / FILE
