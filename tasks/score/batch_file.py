"""A scoring batch as a job of a cluster gets it, and what the job leaves beside it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from tasks.infer.job_file import outcome_file, read_job_file
from tasks.score.batch import PairOutcome, ScoreBatch
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import RunFolder, write_atomically

_outcomes: TypeAdapter[list[PairOutcome]] = TypeAdapter(list[PairOutcome])


class BatchFile(BaseModel):
    """Everything a process needs to score a batch."""

    run_folder: Path
    batch: ScoreBatch
    cache: Path | None = None
    """Folder where answers, of judges too, are kept for all runs."""
    jobs: int = 1
    """How many such jobs run at once, and share the limits of judges."""

    @property
    def folder(self) -> RunFolder:
        return RunFolder(self.run_folder)


def read_batch_file(path: Path) -> tuple[BatchFile, Any]:
    """The batch, and the values it was read from; UserError if the file holds none."""
    try:
        values = read_job_file(path)
        return BatchFile.model_validate(values), values
    except UserError:
        raise
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is not a file of a scoring batch: {error}") from error


def write_outcomes(path: Path, outcomes: Sequence[PairOutcome]) -> None:
    """Says beside the batch file `path` what became of each pair."""
    write_atomically(outcome_file(path), _outcomes.dump_json(list(outcomes)))


def read_outcomes(path: Path) -> list[PairOutcome] | None:
    """What the job of the batch file `path` said of each pair; None if it has not come to that."""
    try:
        return _outcomes.validate_json(outcome_file(path).read_bytes())
    except (OSError, ValueError):
        return None
