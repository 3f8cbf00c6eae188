"""What a run tells about itself while it goes on."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

_MOST_DETAILS = 50
"""Failures of a group that are kept with their reasons; the others are only counted."""


class EventKind(StrEnum):
    """The moments that people are told about."""

    STARTED = "started"
    PAIR_FAILED = "pair_failed"
    JOB_FAILED = "job_failed"
    BUDGET_REACHED = "budget_reached"
    INFER_FINISHED = "infer_finished"
    EVAL_FINISHED = "eval_finished"
    SUMMARY_WRITTEN = "summary_written"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    CRASHED = "crashed"
    TEST = "test"


GROUPED = frozenset({EventKind.PAIR_FAILED, EventKind.JOB_FAILED, EventKind.BUDGET_REACHED})
"""Kinds of which many may come at once: they become one message."""


@dataclass(frozen=True)
class Failure:
    """Something that failed, and why."""

    name: str
    reason: str
    log: Path | None = None
    """File whose end tells more."""


@dataclass(frozen=True)
class Event:
    """One moment of a run; texts are as they came, unescaped and unshortened."""

    kind: EventKind
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """What templates may name."""
    failures: tuple[Failure, ...] = ()
    failed: int = 0
    """How many failed; at least the number of `failures`."""
    table: tuple[Mapping[str, str], ...] = ()
    """Rows by column."""
    link: str = ""

    def joined(self, other: "Event") -> "Event":
        """Both as one event of the same kind."""
        failures = (*self.failures, *other.failures)[:_MOST_DETAILS]
        return replace(self, failures=failures, failed=self.failed + other.failed)
