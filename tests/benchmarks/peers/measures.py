"""The lines of the table: what is measured of every system, in which unit."""

from dataclasses import dataclass

from benchmarks.rows import Unit

Figures = dict[str, float | str]
"""By key of the measure; a text says why there is no figure. `FAILED` stands for all measures of a scenario."""
FAILED = "failed"
SERVER = "server of "
"""Before a key: the share of a service beside the commands, in the same unit."""


@dataclass(frozen=True)
class Measure:
    """One line."""

    key: str
    """`SCENARIO.WHAT`."""
    name: str
    unit: Unit | str


SAMPLES = "samples"
MEASURES = (
    Measure("tiny.first_elapsed", "first request: elapsed until it arrives", Unit.IP),
    Measure("tiny.first_cpu", "first request: CPU until it arrives", Unit.IP),
    Measure("tiny.cpu", "8 samples: CPU", Unit.IP),
    Measure("tiny.elapsed", "8 samples: elapsed", Unit.IP),
    Measure("whole.span", "1,319 samples, 64 in flight: first request to last answer", Unit.IDEAL),
    Measure("whole.cpu", "1,319 samples, 64 in flight: CPU", Unit.IP),
    Measure("wide.span", "1,319 samples, 256 in flight: first request to last answer", Unit.IDEAL),
    Measure("wide.cpu", "1,319 samples, 256 in flight: CPU", Unit.IP),
    Measure("many.cpu", "2 models × 50 datasets × 20 samples: CPU", Unit.IP),
    Measure("many.elapsed", "2 models × 50 datasets × 20 samples: elapsed", Unit.IP),
    Measure("whole.again_cpu", "the finished run again: CPU", Unit.IP),
    Measure("whole.again_elapsed", "the finished run again: elapsed", Unit.IP),
    Measure("killed.asked_again", "killed when half is answered, then resumed: asked again, of 64 in flight", SAMPLES),
    Measure("killed.cpu", "killed when half is answered, then resumed: CPU of the resumption", Unit.IP),
    Measure("killed.elapsed", "killed when half is answered, then resumed: elapsed of the resumption", Unit.IP),
    Measure("faults.unanswered", "5 % status 429, 2 % status 500, 1 % resets: left without an answer", SAMPLES),
    Measure("faults.wrong", "5 % status 429, 2 % status 500, 1 % resets: scores off by", SAMPLES),
    Measure("faults.span", "5 % status 429, 2 % status 500, 1 % resets: first request to last answer", Unit.IDEAL),
    Measure("faults.cpu", "5 % status 429, 2 % status 500, 1 % resets: CPU", Unit.IP),
    Measure("whole.score_cpu", "1,319 stored answers scored: CPU", Unit.IP),
    Measure("whole.score_elapsed", "1,319 stored answers scored: elapsed", Unit.IP),
    Measure("long.span", "1,319 answers of 20 kB, 64 in flight: first request to last answer", Unit.IDEAL),
    Measure("long.cpu", "1,319 answers of 20 kB, 64 in flight: CPU", Unit.IP),
)
