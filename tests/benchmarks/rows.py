"""The rows of the table: what is measured, in which unit, and how much it may be."""

from dataclasses import dataclass
from enum import StrEnum


class Unit(StrEnum):
    """What a figure is a multiple of."""

    IP = "× import prefect"
    BARE = "× bare aiohttp"
    IDEAL = "× ideal"
    REQUESTS = "requests"
    MEGABYTES = "MB"
    KILOBYTES = "kB"
    TIMES = "×"


@dataclass(frozen=True)
class Row:
    """One figure."""

    name: str
    unit: Unit
    most: float
    """The budget."""
    goal: float | None = None
    """What we would like."""
    least: float | None = None

    def holds(self, value: float) -> bool:
        """Whether the figure is within the budget."""
        return value <= self.most and (self.least is None or value >= self.least)


HELP = Row("`--help`", Unit.IP, 0.15)
LIST = Row("`list`: all packaged configurations", Unit.IP, 0.4)
PLANNING = Row("plan 3 models × 1,000 datasets (`--dry-run`)", Unit.IP, 4)
PLANNING_MEMORY = Row("memory of that", Unit.MEGABYTES, 300)
EIGHT_CLIENT = Row("8 samples, Prefect server running: the client", Unit.IP, 2.2)
EIGHT_INLINE = Row("8 samples, `--inline`", Unit.IP, 1.2)
FIRST_REQUEST = Row("first request after the start, `--inline` (elapsed time)", Unit.IP, 1.0)
THOUSAND_INLINE = Row("1,000 more requests, everything included, `--inline`", Unit.BARE, 7)
THOUSAND_CLIENT = Row("1,000 more requests, everything included, with Prefect", Unit.BARE, 7)
STREAMED = Row("1,000 more requests, streamed in 16 events ÷ whole, `--inline`", Unit.TIMES, 2)
SPAN_64 = Row("first request to last answer, 64 in flight, 100 ms", Unit.IDEAL, 1.10, goal=1.05)
PEAK_64 = Row("most requests in flight, of 64 allowed", Unit.REQUESTS, 64, least=64)
SPAN_256 = Row("first request to last answer, 256 in flight, 100 ms", Unit.IDEAL, 1.45, goal=1.2)
PEAK_256 = Row("most requests in flight, of 256 allowed", Unit.REQUESTS, 256, least=256)
RERUN_CLIENT = Row("a finished run again (`-r`), with Prefect", Unit.IP, 2.0)
RERUN_INLINE = Row("a finished run again (`-r`), `--inline`", Unit.IP, 0.7)
SCORE = Row("score 1,319 stored GSM8K answers (`-m eval --inline`)", Unit.IP, 1.6)
PAIR_CLIENT = Row("per pair of 20 samples, 100 pairs, no latency: the client", Unit.IP, 0.05)
PAIR_WITH_SERVER = Row("per pair of 20 samples, 100 pairs, no latency: with the server's share", Unit.IP, 0.15)
MEMORY_CLIENT = Row("memory, 100,000 samples, with Prefect", Unit.MEGABYTES, 200)
MEMORY_INLINE = Row("memory, 100,000 samples, `--inline`", Unit.MEGABYTES, 200)
GROWTH_CLIENT = Row("memory, 100,000 samples ÷ 10,000 samples, with Prefect", Unit.TIMES, 1.5)
CHOICES = Row("score 100,000 stored multiple-choice answers (`-m eval --inline`)", Unit.IP, 12)
REPORT = Row("report of 100,000 samples (`compass report`)", Unit.IP, 10)
REPORT_MEMORY = Row("memory, report of 100,000 samples", Unit.MEGABYTES, 500)
CHOICES_MEMORY = Row("memory per sample of that, above 1,000 answers", Unit.KILOBYTES, 0.5)
WATCHED = Row("judging beside inference ÷ after it, equal latencies (elapsed time, `--inline`)", Unit.TIMES, 0.65)
JOBS = Row("1,000 shards as jobs of a cluster, submitted and followed, `--inline`", Unit.IP, 12)
SUMMARY = Row("summary of 20 models × 500 datasets", Unit.IP, 3)
BOOTSTRAP = Row("bootstrap of 10,000 draws on 10,000 different values", Unit.IP, 1)
MOCK = Row("the mock server's CPU per request", Unit.BARE, 0.5)
