"""Sums over the records of a pair: tokens, latency, notes, errors."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from tasks.score.files.predictions import Record
from tasks.score.metrics.grouped_texts import GroupedTexts
from tasks.spec.status import Status

_MOST_NOTES = 5
_LONGEST = 1e9
"""Seconds; files of others may hold anything, numbers that are none among it."""


@dataclass(slots=True)
class Totals:
    """Grows record by record."""

    tokens: Counter[str] = field(default_factory=Counter[str])
    latencies: "array[float]" = field(default_factory=lambda: array("d"))
    notes: GroupedTexts = field(default_factory=GroupedTexts)
    errors: GroupedTexts = field(default_factory=GroupedTexts)

    def add(self, record: Record, status: Status) -> None:
        usage = record.get("usage")
        for name, count in usage.items() if isinstance(usage, dict) else ():
            if isinstance(count, int):
                self.tokens[name] += count
        latency = record.get("latency")
        if isinstance(latency, int | float) and 0 <= latency < _LONGEST:
            self.latencies.append(latency)
        if record.get("note"):
            self.notes.add(str(record["note"]))
        if status is Status.ERROR:
            self.errors.add(str(record.get("error") or "unknown reason"))

    def to_json(self) -> dict[str, Any]:
        """What of it is known: token sums by kind, median latency in seconds, the most frequent notes and errors."""
        known: dict[str, Any] = {
            "tokens": dict(self.tokens),
            "latency_median": round(median(self.latencies), 4) if self.latencies else None,
            "noted": self.notes.total(),
            "notes": self.notes.most_common(_MOST_NOTES),
            "error_reasons": self.errors.most_common(_MOST_NOTES),
        }
        return {name: value for name, value in known.items() if value}
