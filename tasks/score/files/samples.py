"""The samples of a pair as scoring sees them, in columns: a hundred thousand of them fit into a few megabytes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, overload

from tasks.data.interface import PlannedRow
from tasks.score.answers.extraction import Extracted
from tasks.score.interface import ExtractionStatus
from tasks.spec.status import Status

_NO_FIELDS: Mapping[str, Any] = {}


class Sample(NamedTuple):
    """What was found in one prediction."""

    status: Status
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


@dataclass
class Samples(Sequence[Sample]):
    """All samples of a pair, in the order of the planned rows."""

    rows: Sequence[PlannedRow]
    statuses: list[Status] = field(default_factory=list[Status])
    extracted: list[Extracted] = field(default_factory=list[Extracted])
    """Filled after the statuses, of which there may be more for a while."""
    fields: dict[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    """By position; samples without any are missing."""

    def __len__(self) -> int:
        return len(self.statuses)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> list[Sample]: ...
    def __getitem__(self, index: int | slice) -> Sample | list[Sample]:
        if isinstance(index, slice):
            return [self.at(position) for position in range(len(self))[index]]
        return self.at(range(len(self))[index])

    def at(self, position: int) -> Sample:
        """The sample at a position from 0 on."""
        return Sample(self.statuses[position], self.extracted[position], self.fields.get(position, _NO_FIELDS))


@dataclass(frozen=True)
class SampleView(Sequence[Sample]):
    """Some of the samples."""

    samples: Samples
    positions: Sequence[int]

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, index: int) -> Sample: ...
    @overload
    def __getitem__(self, index: slice) -> "SampleView": ...
    def __getitem__(self, index: int | slice) -> "Sample | SampleView":
        if isinstance(index, slice):
            return SampleView(self.samples, self.positions[index])
        return self.samples.at(self.positions[index])

    def __iter__(self) -> Iterator[Sample]:
        return map(self.samples.at, self.positions)

    def rows(self) -> Iterator[int]:
        """Index in the test split of each sample's row."""
        return (self.samples.rows[position].row for position in self.positions)
