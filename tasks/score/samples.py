"""The samples of a pair as scoring sees them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tasks.data.interface import LoadedDataset, PlannedRow
from tasks.score.components import Step
from tasks.score.extracting import Extracted, extract, withheld
from tasks.score.interface import ExtractionStatus
from tasks.score.predictions import Record, status_of
from tasks.score.role_cut import cut_to_role
from tasks.score.score_error import ScoreError
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.status import Status

_MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class Sample:
    """One planned row with its prediction."""

    planned: PlannedRow
    status: Status
    prediction: Any
    """As the predictions file has it."""
    extracted: Extracted
    fields: Mapping[str, Any]
    """Fields of the predictions file that the evaluator asks for."""

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer that can be right."""
        return self.status.has_answer and self.extracted.extraction.status is ExtractionStatus.FOUND

    @property
    def rule(self) -> str | None:
        """The rule that found the answer, or why there is none."""
        extraction = self.extracted.extraction
        if not self.status.has_answer:
            return None
        return extraction.rule if extraction.status is ExtractionStatus.FOUND else str(extraction.status)

    @property
    def is_guess(self) -> bool:
        """Whether the answer was found by a rule that guesses."""
        return self.is_answered and (self.extracted.extraction.rule or "").startswith("fallback:")


@dataclass(slots=True)
class Totals:
    """Sums over the records of a pair."""

    tokens: Counter[str] = field(default_factory=Counter[str])
    latencies: list[float] = field(default_factory=list[float])
    notes: Counter[str] = field(default_factory=Counter[str])
    errors: Counter[str] = field(default_factory=Counter[str])

    def add(self, record: Record, status: Status) -> None:
        usage = record.get("usage") or {}
        self.tokens.update({name: count for name, count in usage.items() if isinstance(count, int)})
        if isinstance(record.get("latency"), int | float):
            self.latencies.append(record["latency"])
        if record.get("note"):
            self.notes[str(record["note"])] += 1
        if status is Status.ERROR:
            self.errors[str(record.get("error") or "unknown reason")] += 1

    def to_json(self) -> dict[str, Any]:
        """What of it is known: token sums by kind, median latency in seconds, the most frequent notes and errors."""
        known: dict[str, Any] = {
            "tokens": dict(self.tokens),
            "latency_median": round(median(self.latencies), 4) if self.latencies else None,
            "noted": sum(self.notes.values()),
            "notes": dict(self.notes.most_common(_MOST_NOTES)),
            "error_reasons": dict(self.errors.most_common(_MOST_NOTES)),
        }
        return {name: value for name, value in known.items() if value}


@dataclass(frozen=True)
class SampleReader:
    """Turns the records of a pair into samples."""

    model: ModelSpec
    dataset: DatasetSpec
    steps: Sequence[Step]
    """Post-processors of the predictions, in order."""
    wanted: Collection[str] | None
    """Fields to keep of the records; None keeps all."""

    def read(self, records: Iterable[Record], rows: Sequence[PlannedRow], totals: Totals) -> list[Sample]:
        """One sample per record, in order; ScoreError if there are more records than rows."""
        samples: list[Sample] = []
        planned = iter(rows)
        records = iter(records)
        for record in records:
            row = next(planned, None)
            if row is None:
                raise ScoreError(_surplus(len(rows) + 1 + sum(1 for _ in records), len(rows)))
            samples.append(self._sample(row, record))
            totals.add(record, samples[-1].status)
        return samples

    def _sample(self, row: PlannedRow, record: Record) -> Sample:
        status = status_of(record)
        prediction = record.get("prediction")
        if status.has_answer:
            said = cut_to_role(prediction, self.model, self.dataset)
            extracted = extract(said, self.steps, row.position)
        else:
            extracted = withheld(prediction)
        fields = record if self.wanted is None else {name: record[name] for name in self.wanted if name in record}
        return Sample(row, status, prediction, extracted, fields)


def _surplus(records: int, rows: int) -> str:
    return (
        f"the predictions hold {records} samples, but {rows} rows are planned: "
        "the data, its range or the limit changed since; run the inference again"
    )


def references_of(
    samples: Sequence[Sample], data: LoadedDataset, dataset: DatasetSpec, step: Step | None
) -> list[Any] | None:
    """The reference of every sample, post-processed; None without an output column.

    ScoreError naming the row whose reference is missing or cannot be read: a missing reference is never a wrong answer.
    """
    column = dataset.reader.output_column
    if column is None:
        return None
    known: dict[int, Any] = {}
    for sample in samples:
        row = sample.planned.row
        if row not in known:
            known[row] = _reference(data.test[row].get(column), row, column, step)
    return [known[sample.planned.row] for sample in samples]


def _reference(value: Any, row: int, column: str, step: Step | None) -> Any:
    if value is None:
        raise ScoreError(f"there is nothing to score against: row {row} has no reference in column {column!r}")
    if step is None:
        return value
    extracted = extract(value, [step], row)
    if extracted.extraction.status is not ExtractionStatus.FOUND:
        raise ScoreError(f"{step.name} finds no reference in column {column!r} of row {row}: {str(value)[-80:]!r}")
    return extracted.handed
