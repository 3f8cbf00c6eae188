"""The numbers of a summary, each with what tells how far to trust it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.report.stats.interval import Interval
from tasks.report.stats.mixtures import Parts
from tasks.report.stats.weighted_sums import (
    Mean,
    Term,
    detectable_difference,
    effective_n,
    interval_of_sum,
    standard_error_of_sum,
)
from tasks.report.summary.scores import Cell


@dataclass(frozen=True)
class Number:
    """A metric of one model, in the metric's own unit."""

    value: float
    stderr: float | None = None
    interval: Interval | None = None
    samples: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many samples: `n`, `errors`, `truncated`, …; empty for files of OpenCompass.

    Where not all rows were asked, `rows` of `all_rows` were.
    """
    strict: float | None = None
    """Without the answers that guessing rules found."""
    detectable: float | None = None
    """The smallest difference from an equally certain score that would be seen, as `docs/statistics.md` says."""


def dataset_number(cell: Cell, metric: str) -> Number:
    """The number of a pair."""
    mean = mean_of(cell, metric)
    terms = [] if mean is None else [Term(1.0, mean)]
    strict = _known(section(cell.own, "strict").get(metric))
    return _number(cell.metrics[metric], terms, _samples(cell), strict)


def group_number(value: float, parts: Parts | None, cells: Iterable[Cell]) -> Number:
    """The number of a group of datasets, whose samples are those of all of them."""
    total: Counter[str] = Counter()
    for cell in cells:
        total.update(_samples(cell))
    return _number(value, list((parts or {}).values()), dict(total))


def _number(value: float, terms: Sequence[Term], samples: Mapping[str, int], strict: float | None = None) -> Number:
    if samples.get("rows") == samples.get("all_rows"):
        samples = {name: count for name, count in samples.items() if name not in ("rows", "all_rows")}
    if not terms:
        return Number(value, samples=samples, strict=strict)
    error = standard_error_of_sum(terms)
    return Number(value, error, interval_of_sum(terms), samples, strict, detectable_difference(terms))


def means_of(cell: Cell) -> dict[str, Mean]:
    """The metrics of a pair that are means over samples."""
    return {metric: mean for metric in cell.metrics if (mean := mean_of(cell, metric)) is not None}


def mean_of(cell: Cell, metric: str) -> Mean | None:
    """The metric as a mean over samples; None if the results file does not say that it is one.

    Several answers to one row are not independent: there the standard error, which knows the rows, tells how many
    samples they are worth.
    """
    value, error = cell.metrics[metric], _known(section(cell.own, "stderr").get(metric))
    share, counted = _known(section(cell.own, "shares").get(metric)), _samples(cell).get("counted")
    top = share or _known(section(cell.own, "scales").get(metric))
    if not top or not counted or not 0 <= value <= top * (1 + 1e-9):
        return None if error is None else Mean(value, error)
    repeats = max(1, len(cell.own.get("replicas") or ()))
    if share and repeats == 1:
        return Mean(value, error, top, counted, is_share=True)
    rows = -(-counted // repeats)
    n = effective_n(value, top, error, rows, counted if share else None)
    return Mean(value, error, top, n, is_share=share is not None)


def _samples(cell: Cell) -> dict[str, int]:
    asked = section(cell.own, "rows")
    told = {**section(cell.own, "samples"), "rows": asked.get("asked"), "all_rows": asked.get("all")}
    return {name: count for name, count in told.items() if isinstance(count, int)}


def section(own: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A section of our part of a results file; empty if there is none."""
    found = own.get(name)
    return found if isinstance(found, Mapping) else {}


def _known(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
