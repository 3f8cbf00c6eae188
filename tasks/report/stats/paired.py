"""Compares two models, or two runs, on the samples they share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from tasks.report.optional_libraries import report_extra
from tasks.report.stats.bootstrap import DRAWS, bootstrap_means, bootstrap_of_means, percentiles
from tasks.report.stats.interval import LEVEL, Interval, critical_value, is_binary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Values = Mapping[str, float]
"""One value per row: whether the answer is right, or the mean over its repeats, by what identifies the row."""


@dataclass(frozen=True)
class PairedComparison:
    """How far the second is above the first."""

    difference: float
    """Mean of the second minus mean of the first, over the shared rows."""
    interval: Interval | None
    """Of the difference; None below two rows."""
    p_value: float
    """Two-sided, against equal means; not corrected for other comparisons."""
    n: int
    """Rows that both have."""
    method: str
    """`mcnemar exact`, `paired bootstrap` or `stratified paired bootstrap`."""
    stderr: float
    """Standard error of the difference; for verdicts that of the interval."""
    only_first: int
    """Rows on which the first is better."""
    only_second: int


def compare(first: Values, second: Values, *, level: float = LEVEL, draws: int = DRAWS) -> PairedComparison:
    """McNemar's exact test where all values are verdicts (0 or 1), else a paired bootstrap of the differences.

    ValueError if they share no row.
    """
    differences, binary = _differences(first, second)
    n, worse, better = len(differences), sum(d < 0 for d in differences), sum(d > 0 for d in differences)
    if binary:
        interval = matched_interval(worse, better, n, level) if n > 1 else None
        stderr = matched_error(worse, better, n)
        p_value, method = mcnemar_exact(worse, better), "mcnemar exact"
    else:
        stderr = stdev(differences) / sqrt(n) if n > 1 else 0.0
        means = bootstrap_means(differences, draws=draws)
        interval = percentiles(means, level, "paired bootstrap") if n > 1 else None
        p_value, method = _p_value(means, fmean(differences)) if n > 1 else 1.0, "paired bootstrap"
    return PairedComparison(fmean(differences), interval, p_value, n, method, stderr, worse, better)


def compare_groups(
    pairs: Sequence[tuple[Values, Values]],
    weights: Sequence[float] | None = None,
    *,
    level: float = LEVEL,
    draws: int = DRAWS,
) -> PairedComparison:
    """Compares (weighted) means over several datasets, each a pair of values; rows are drawn dataset by dataset.

    ValueError if they share no row of one of them.
    """
    groups = [_differences(first, second)[0] for first, second in pairs]
    shares = [1.0] * len(groups) if weights is None else list(weights)
    difference = sum(w * fmean(group) for w, group in zip(shares, groups, strict=True)) / sum(shares)
    means = bootstrap_of_means(groups, shares, draws=draws)
    every = [value for group in groups for value in group]
    return PairedComparison(
        difference,
        percentiles(means, level, "stratified paired bootstrap"),
        _p_value(means, difference),
        len(every),
        "stratified paired bootstrap",
        float(means.std()),
        sum(d < 0 for d in every),
        sum(d > 0 for d in every),
    )


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided p-value of the rows on which the two differ: McNemar 1947, Psychometrika 12:153-157; 1 for none."""
    total = only_first + only_second
    if total == 0:
        return 1.0
    with report_extra():
        from scipy.special import bdtr
    return min(1.0, 2 * float(bdtr(min(only_first, only_second), total, 0.5)))


def matched_interval(only_first: int, only_second: int, n: int, level: float = LEVEL) -> Interval:
    """Interval of a difference of matched proportions: Agresti & Min 2005, Statistics in Medicine 24:729-740.

    Wald's, after half a row was added to each of the four kinds of rows.
    """
    middle = (only_second - only_first) / (n + 2)
    half = critical_value(level) * matched_error(only_first, only_second, n)
    return Interval(max(-1.0, middle - half), min(1.0, middle + half), level, "agresti-min")


def matched_error(only_first: int, only_second: int, n: int) -> float:
    """Standard error of that interval: not zero where the two agree on every row, which proves no equality."""
    first, second, total = only_first + 0.5, only_second + 0.5, n + 2
    return sqrt(first + second - (second - first) ** 2 / total) / total


def _differences(first: Values, second: Values) -> tuple[list[float], bool]:
    """Second minus first for the rows both have, and whether all values are verdicts."""
    shared = [row for row in first if row in second]
    if not shared:
        raise ValueError("there is no row that both have")
    binary = is_binary([first[row] for row in shared]) and is_binary([second[row] for row in shared])
    return [float(second[row]) - float(first[row]) for row in shared], binary


def _p_value(means: "NDArray[np.float64]", difference: float) -> float:
    """How often draws around zero are as far from it, and never 0: Efron & Tibshirani 1993, section 16.4."""
    extreme = int((abs(means - difference) >= abs(difference) * (1 - 1e-12)).sum())
    return (extreme + 1) / (len(means) + 1)
