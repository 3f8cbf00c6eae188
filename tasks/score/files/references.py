"""What predictions are compared with."""

from typing import Any

from tasks.data.interface import LoadedDataset
from tasks.data.missing_values import is_missing
from tasks.score.answers.extraction import extract
from tasks.score.components import Step
from tasks.score.files.samples import Samples
from tasks.score.interface import ExtractionStatus
from tasks.score.score_error import ScoreError
from tasks.spec.specs import DatasetSpec


def references_of(samples: Samples, data: LoadedDataset, dataset: DatasetSpec, step: Step | None) -> list[Any] | None:
    """The reference of every sample, post-processed; None without an output column.

    ScoreError naming the row whose reference is missing or cannot be read: a missing reference is never a wrong answer.
    """
    column = dataset.reader.output_column
    if column is None:
        return None
    rows = samples.rows[: len(samples) // dataset.n]
    once = [_reference(data.test[planned.row].get(column), planned.row, column, step) for planned in rows]
    return once * dataset.n


def _reference(value: Any, row: int, column: str, step: Step | None) -> Any:
    if is_missing(value):
        raise ScoreError(f"there is nothing to score against: row {row} has no reference in column {column!r}")
    if step is None:
        return value
    extracted = extract(value, [step], row)
    if extracted.extraction.status is not ExtractionStatus.FOUND:
        raise ScoreError(f"{step.name} finds no reference in column {column!r} of row {row}: {str(value)[-80:]!r}")
    return extracted.handed
