"""A pass over the samples of a pair: what is counted, drawn and filtered by, a few bytes per sample."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.report.page.sample import Found, StoredSample, stored_samples
from tasks.score.score_error import ScoreError
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair, RunFolder

STATUS_CODES = dict(zip(Status, "otfrex", strict=True))
FOUND_CODES = {found: str(found)[0] for found in Found}
VERDICT_CODES = {True: "r", False: "w", None: "-"}
_MOST_REASONS = 20


@dataclass
class PairColumns:
    """The samples of one pair, row by row and repeat by repeat, in columns; each code is a letter per sample."""

    pair: Pair
    repeats: int
    statuses: bytearray = field(default_factory=bytearray)
    verdicts: bytearray = field(default_factory=bytearray)
    found: bytearray = field(default_factory=bytearray)
    latencies: "array[float]" = field(default_factory=lambda: array("f"))
    """Seconds, of the samples for which they are known."""
    tokens_out: "array[float]" = field(default_factory=lambda: array("f"))
    characters_out: "array[float]" = field(default_factory=lambda: array("f"))
    errors: Counter[str] = field(default_factory=Counter[str])
    """Samples without an answer by reason."""
    unreadable: str = ""
    """Why the columns end early."""

    def __len__(self) -> int:
        return len(self.statuses)

    def add(self, sample: StoredSample) -> None:
        status = sample.status
        self.statuses += STATUS_CODES[status].encode()
        self.verdicts += VERDICT_CODES[sample.verdict].encode()
        self.found += FOUND_CODES[sample.found].encode()
        _append(self.latencies, sample.record.get("latency"))
        usage = sample.record.get("usage")
        _append(self.tokens_out, usage.get("completion_tokens") if isinstance(usage, dict) else None)
        prediction = sample.record.get("prediction")
        _append(self.characters_out, len(prediction) if isinstance(prediction, str) else None)
        if status is Status.ERROR:
            self.errors[str(sample.record.get("error") or "unknown reason")] += 1

    def codes(self, places: Sequence[int]) -> dict[str, str]:
        """The three codes of some samples, as the page filters by them."""
        columns = {"status": self.statuses, "verdict": self.verdicts, "found": self.found}
        return {name: bytes(column[place] for place in places).decode() for name, column in columns.items()}

    def reasons(self) -> list[tuple[str, int]]:
        """The most frequent reasons for missing answers."""
        return self.errors.most_common(_MOST_REASONS)


def read_columns(folder: RunFolder, pair: Pair, repeats: int) -> PairColumns:
    """Reads both files of the pair once; a file that cannot be read ends the columns, with the reason."""
    columns = PairColumns(pair, repeats)
    for sample in readable_samples(folder, pair, repeats, columns):
        columns.add(sample)
    return columns


def readable_samples(folder: RunFolder, pair: Pair, repeats: int, columns: PairColumns) -> Iterator[StoredSample]:
    """The samples up to the first that cannot be read; the reason goes into the columns."""
    try:
        yield from stored_samples(folder, pair, repeats)
    except (ScoreError, OSError, ValueError) as error:
        columns.unreadable = str(error)


def _append(column: "array[float]", value: Any) -> None:
    if isinstance(value, int | float):
        column.append(value)
