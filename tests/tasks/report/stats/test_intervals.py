"""Intervals, against the libraries and published examples."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from tasks.report.stats.bootstrap import DRAWS, bootstrap_means, bootstrap_of_means, percentiles
from tasks.report.stats.interval import LEVEL, Interval, normal_interval, wilson_interval


@pytest.mark.parametrize(("right", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (81, 263), (1319, 1319), (0.5, 3)])
def test_wilson_is_that_of_statsmodels(right: float, n: int) -> None:
    ours = wilson_interval(right, n)
    assert (ours.low, ours.high) == pytest.approx(proportion_confint(right, n, method="wilson"), abs=1e-9)


def test_wilson_of_a_published_example() -> None:
    """Newcombe 1998, Statistics in Medicine 17:857-872, table I: 81 of 263, and 0 of 20."""
    first, second = wilson_interval(81, 263), wilson_interval(0, 20)
    assert (round(first.low, 4), round(first.high, 4)) == (0.2553, 0.3662)
    assert (round(second.low, 4), round(second.high, 4)) == (0, 0.1611)


def test_what_is_no_proportion() -> None:
    for right, n in [(2, 1), (-1, 3), (0, 0)]:
        with pytest.raises(ValueError, match="no proportion"):
            wilson_interval(right, n)


def test_normal() -> None:
    interval = normal_interval(10, 2)
    assert (interval.low, interval.high) == pytest.approx(stats.norm.interval(0.95, 10, 2))


def _interval(values: list[float], clusters: list[int] | None = None, *, draws: int = DRAWS) -> Interval:
    return percentiles(bootstrap_means(values, clusters, draws=draws), LEVEL, "bootstrap")


@pytest.mark.parametrize("seed", [1, 2])
def test_bootstrap_is_that_of_scipy(seed: int) -> None:
    values = np.random.default_rng(seed).exponential(size=400)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=seed).confidence_interval
    ours = _interval(list(values), draws=20_000)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs), abs=0.006)


def test_few_different_values_are_drawn_by_their_counts_to_the_same_end() -> None:
    values = [0.0, 0.5, 1.0] * 100
    almost = [value + index * 1e-9 for index, value in enumerate(values)]  # as many different values as rows
    few, many = bootstrap_means(values), bootstrap_means(almost)
    assert few.mean() == pytest.approx(many.mean(), abs=0.002)
    assert few.std() == pytest.approx(many.std(), rel=0.03)


def test_repeats_of_a_row_are_drawn_together() -> None:
    rows = [0.0, 1.0] * 50
    repeated = [value for value in rows for _ in range(4)]
    clusters = [row for row in range(100) for _ in range(4)]
    clustered, alone = _interval(repeated, clusters), _interval(rows)
    assert (clustered.low, clustered.high) == pytest.approx((alone.low, alone.high), abs=0.01)
    assert _interval(repeated).low > clustered.low + 0.03


def test_clusters_of_different_sizes_keep_the_mean_over_values() -> None:
    """As the standard error of a ratio of sums: Cochran 1977, Sampling Techniques, eq. 2.46."""
    random = np.random.default_rng(5)
    sizes = random.integers(1, 9, size=300)
    clusters = np.repeat(np.arange(300), sizes)
    values = random.normal(size=300)[clusters] + random.normal(size=len(clusters))
    draws = bootstrap_means(list(values), list(clusters))
    sums = np.bincount(clusters, weights=values)
    residuals = sums - values.mean() * sizes
    error = np.sqrt((residuals**2).sum() * 300 / 299) / sizes.sum()
    assert draws.mean() == pytest.approx(values.mean(), abs=0.01)
    assert draws.std() == pytest.approx(error, rel=0.06)


def test_a_group_is_drawn_dataset_by_dataset() -> None:
    groups = [[0.0, 1.0] * 50, [0.0] * 500 + [1.0] * 500]
    draws = bootstrap_of_means(groups, weights=[3, 1])
    expected = np.sqrt((0.75 * 0.05) ** 2 + (0.25 * 0.5 / np.sqrt(1000)) ** 2)
    assert draws.mean() == pytest.approx(0.5, abs=0.002)
    assert draws.std() == pytest.approx(expected, rel=0.04)


def test_equal_seeds_give_equal_draws() -> None:
    values = [float(value % 7) for value in range(40)]
    assert list(bootstrap_means(values)) == list(bootstrap_means(values))
