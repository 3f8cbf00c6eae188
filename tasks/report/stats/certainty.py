"""How certain the mean of per-sample values is."""

from collections.abc import Hashable, Sequence

from tasks.report.stats.bootstrap import bootstrap_interval
from tasks.report.stats.interval import LEVEL, Interval, wilson_interval


def interval_of(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, level: float = LEVEL
) -> Interval | None:
    """Wilson's for verdicts (0 or 1) that are independent, else that of the (clustered) bootstrap; None below 2 values.

    `clusters` names what each value belongs to: the row, where rows are asked several times, or the text that several
    rows are about.
    """
    alone = clusters is None or len(set(clusters)) == len(values)
    if values and alone and is_binary(values):
        return wilson_interval(sum(values), len(values), level)
    if len(values) < 2:
        return None
    return bootstrap_interval(values, None if alone else clusters, level=level)


def is_binary(values: Sequence[float]) -> bool:
    """Whether the values are all 0 or 1."""
    return set(values) <= {0, 1}
