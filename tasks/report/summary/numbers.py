"""The numbers of a summary, each with what tells how far to trust it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tasks.report.stats.detectable_difference import smallest_difference_of_scores
from tasks.report.stats.interval import Interval, normal_interval, wilson_interval
from tasks.report.summary.scores import Cell


@dataclass(frozen=True)
class Number:
    """A metric of one model, in the metric's own unit."""

    value: float
    stderr: float | None = None
    interval: Interval | None = None
    samples: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many samples: `n`, `errors`, `truncated`, …; empty for files of OpenCompass."""
    strict: float | None = None
    """Without the answers that guessing rules found."""

    @property
    def detectable(self) -> float | None:
        """The smallest difference from an equally certain score that would be seen, as `docs/statistics.md` says."""
        return None if self.stderr is None else smallest_difference_of_scores(self.stderr)


def dataset_number(cell: Cell, metric: str) -> Number:
    """The number of a pair; Wilson's interval for a share of right answers, else the value ± z standard errors.

    Several answers to one row are not independent: there the standard error, which knows the rows, tells.
    """
    value = cell.metrics[metric]
    samples = {name: count for name, count in section(cell.own, "samples").items() if isinstance(count, int)}
    stderr = _known(section(cell.own, "stderr").get(metric))
    share, counted = _known(section(cell.own, "shares").get(metric)), samples.get("counted")
    if share and counted and "replicas" not in cell.own and 0 <= value <= share * (1 + 1e-9):
        interval = wilson_interval(min(value / share, 1.0) * counted, counted).scaled(share)
    else:
        interval = None if stderr is None else normal_interval(value, stderr)
    return Number(value, stderr, interval, samples, _known(section(cell.own, "strict").get(metric)))


def group_number(value: float, stderr: float | None, parts: Iterable[Cell]) -> Number:
    """The number of a group of datasets, whose samples are those of all of them."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update({name: count for name, count in section(part.own, "samples").items() if isinstance(count, int)})
    return Number(value, stderr, None if stderr is None else normal_interval(value, stderr), dict(total))


def standard_errors(cell: Cell) -> dict[str, float]:
    """Those that the results file tells, by metric."""
    return {name: float(value) for name, value in section(cell.own, "stderr").items() if _known(value) is not None}


def section(own: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A section of our part of a results file; empty if there is none."""
    found = own.get(name)
    return found if isinstance(found, Mapping) else {}


def _known(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
