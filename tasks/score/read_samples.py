"""Turns the records of a pair into samples: extracts the answers, of many records on all cores."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.data.interface import PlannedRow
from tasks.score.answers.extraction import Chunk, Extracted, Reading, extract_chunk, extracted_from, withheld
from tasks.score.answers.role_cut import cut_to_role
from tasks.score.components import prediction_step_configs
from tasks.score.files.predictions import Record, status_of
from tasks.score.files.samples import Samples
from tasks.score.metrics.totals import Totals
from tasks.score.parallel import ChildFailed, in_chunks, spread
from tasks.score.score_error import ScoreError
from tasks.spec.specs import DatasetSpec, ModelSpec

_CHUNK = 200
_SHORT = 40
"""Characters of an answer that may well occur again, so that samples share it."""


@dataclass(frozen=True)
class SampleReader:
    """Reads the samples of one pair."""

    model: ModelSpec
    dataset: DatasetSpec
    search_path: Sequence[str]
    """Where modules of the user's lie."""
    wanted: Collection[str] | None
    """Fields to keep of the records; None keeps all."""

    def read(self, records: Iterable[Record], rows: Sequence[PlannedRow], totals: Totals) -> Samples:
        """One sample per record, in order; ScoreError if there are more records than rows."""
        samples = Samples(rows)
        known: dict[Any, Extracted] = {}
        chunks = self._chunks(iter(records), samples, totals)
        for readings in self._extracted(chunks):
            for reading in readings:
                samples.extracted.append(_shared(reading, known))
        return samples

    def _chunks(self, records: Iterable[Record], samples: Samples, totals: Totals) -> Iterator[Chunk]:
        configs = prediction_step_configs(self.model, self.dataset)
        for number, chunk in enumerate(in_chunks(records, _CHUNK)):
            start = number * _CHUNK
            if start + len(chunk) > len(samples.rows):
                surplus = sum(1 for _ in records)
                raise ScoreError(_surplus(start + len(chunk) + surplus, len(samples.rows)))
            texts = [self._noted(record, samples, totals) for record in chunk]
            votes = bool(self.dataset.eval_cfg.get("sc_size"))
            yield Chunk(tuple(configs), tuple(self.search_path), start, texts, votes)

    def _noted(self, record: Record, samples: Samples, totals: Totals) -> Any:
        """The text to extract from; an `Extracted` where nothing is to be extracted."""
        status, position = status_of(record), len(samples.statuses)
        totals.add(record, status)
        samples.statuses.append(status)
        fields = record if self.wanted is None else {name: record[name] for name in self.wanted if name in record}
        if fields:
            samples.fields[position] = fields
        prediction = record.get("prediction")
        return cut_to_role(prediction, self.model, self.dataset) if status.has_answer else withheld(prediction)

    def _extracted(self, chunks: Iterator[Chunk]) -> Iterator[list[Reading]]:
        """On all cores if all post-processors are ours: those of a user may hold what exists only in this process."""
        configs = prediction_step_configs(self.model, self.dataset)
        if not configs or not all(config["type"].startswith("tasks.") for config in configs):
            yield from map(extract_chunk, chunks)
            return
        try:
            yield from spread("tasks.score.answers.extraction.extract_chunk", chunks)
        except ChildFailed as error:
            raise ScoreError(str(error).removeprefix("ScoreError: ")) from error


def _shared(reading: Reading, known: dict[Any, Extracted]) -> Extracted:
    answer, handed = reading.answer, reading.handed
    if not isinstance(answer, str | None) or not isinstance(handed, str | None):
        return extracted_from(reading)
    if len(answer or "") > _SHORT or len(handed or "") > _SHORT:
        return extracted_from(reading)
    return known.setdefault(reading, extracted_from(reading))


def _surplus(records: int, rows: int) -> str:
    return (
        f"the predictions hold {records} samples, but {rows} rows are planned: "
        "the data, its range or the limit changed since; run the inference again"
    )
