"""Standard errors of means."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from math import isclose, sqrt
from statistics import fmean


def standard_error(values: Sequence[float]) -> float | None:
    """sqrt(s²/n) with the unbiased s²; None for fewer than two values."""
    if len(values) < 2:
        return None
    mean = fmean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def clustered_standard_error(rows: Iterable[Hashable], values: Sequence[float]) -> float | None:
    """Standard error of the mean where the answers to one row are not independent: that of the rows' means."""
    clusters: dict[Hashable, list[float]] = defaultdict(list)
    for row, value in zip(rows, values, strict=True):
        clusters[row].append(value)
    return standard_error([fmean(cluster) for cluster in clusters.values()])


def scale_of_mean(metric: float, values: Sequence[float]) -> float | None:
    """1 or 100 if the metric is the mean of the values times that, else None."""
    if not values:
        return None
    mean = fmean(values)
    return next((scale for scale in (100.0, 1.0) if isclose(metric, scale * mean, rel_tol=1e-9, abs_tol=1e-6)), None)
