"""Comparisons on shared rows, against the libraries and published examples."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from tasks.report.stats.detectable_difference import smallest_difference, smallest_difference_of_scores
from tasks.report.stats.multiple_comparisons import holm, ranks
from tasks.report.stats.paired import compare, compare_groups, matched_interval, mcnemar_exact


def _rows(values: Iterable[float]) -> dict[str, float]:
    return {f"row_{index}": float(value) for index, value in enumerate(values)}


@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (5, 5), (1, 9), (16, 37), (500, 400)])
def test_mcnemar_is_that_of_the_libraries(first: int, second: int) -> None:
    ours = mcnemar_exact(first, second)
    theirs: Any = mcnemar([[0, first], [second, 0]], exact=True)
    assert ours == pytest.approx(theirs.pvalue)
    if first + second:
        assert ours == pytest.approx(stats.binomtest(first, first + second).pvalue)


def test_interval_of_a_published_example() -> None:
    """Approval ratings in Agresti 2002, Categorical Data Analysis, section 10.1: of 1600 people 86 and 150 changed."""
    interval = matched_interval(150, 86, 1600)
    assert (round(interval.low, 2), round(interval.high, 2)) == (-0.06, -0.02)


def test_verdicts() -> None:
    both, first, second, neither = 40, 3, 15, 42
    one = [1] * (both + first) + [0] * (second + neither)
    other = [1] * both + [0] * first + [1] * second + [0] * neither
    comparison = compare(_rows(one), _rows(other))
    assert (comparison.method, comparison.n) == ("mcnemar exact", 100)
    assert (comparison.only_first, comparison.only_second) == (3, 15)
    assert comparison.difference == pytest.approx(0.12)
    assert comparison.p_value == pytest.approx(0.00754, abs=1e-4)
    assert comparison.interval is not None and 0 < comparison.interval.low < 0.12 < comparison.interval.high


def test_only_shared_rows_count() -> None:
    comparison = compare({"a": 1.0, "b": 0.0, "x": 1.0}, {"y": 0.0, "b": 1.0, "a": 1.0})
    assert (comparison.n, comparison.difference) == (2, 0.5)
    with pytest.raises(ValueError, match="no row"):
        compare({"a": 1.0}, {"b": 1.0})


@pytest.mark.parametrize("shift", [0.0, 0.1, 0.3])
def test_means_agree_with_the_paired_t_test(shift: float) -> None:
    random = np.random.default_rng(3)
    one = random.normal(size=300)
    other = one + random.normal(loc=shift, scale=0.8, size=300)
    comparison, test = compare(_rows(one), _rows(other)), stats.ttest_rel(other, one)
    low, high = test.confidence_interval()
    assert comparison.method == "paired bootstrap"
    assert comparison.interval is not None
    assert (comparison.interval.low, comparison.interval.high) == pytest.approx((low, high), abs=0.01)
    assert comparison.p_value == pytest.approx(test.pvalue, abs=0.02)


def test_no_difference_at_all() -> None:
    values = _rows([0.1, 0.2, 0.3])
    comparison = compare(values, values)
    assert (comparison.difference, comparison.p_value) == (0, 1)


def test_one_row_says_nothing() -> None:
    assert compare({"a": 0.2}, {"a": 0.9}).p_value == 1.0
    assert compare({"a": 0}, {"a": 1}).interval is None


def test_a_group_weighs_datasets_not_rows() -> None:
    small = (_rows([0, 0, 0, 0] * 25), _rows([1, 0, 0, 0] * 25))
    large = (_rows([0, 1] * 500), _rows([0, 1] * 500))
    plain, weighted = compare_groups([small, large]), compare_groups([small, large], [1, 4])
    assert (plain.difference, weighted.difference) == pytest.approx((0.125, 0.05))
    assert plain.n == 1100 and plain.p_value < 0.001
    assert plain.stderr == pytest.approx(0.5 * np.sqrt(0.25 * 0.75 / 100), rel=0.05)


def test_holm_is_that_of_statsmodels() -> None:
    p_values = [0.01, 0.04, 0.03, 0.005, 0.9, 0.04]
    assert holm(p_values) == pytest.approx(np.asarray(multipletests(p_values, method="holm")[1]))


def test_ranks_with_ties() -> None:
    scores = {
        "weak": _rows(row % 10 < 3 for row in range(400)),
        "good": _rows(row % 10 < 8 for row in range(400)),
        "equal": _rows(row % 10 < 8 or row == 9 for row in range(400)),
        "nothing": {},
    }
    found = ranks(scores)
    assert [(rank.name, rank.rank, rank.tied_with) for rank in found] == [
        ("equal", 1, ("good",)),
        ("good", 1, ("equal",)),
        ("weak", 3, ()),
    ]


def test_many_comparisons_make_a_chance_difference_no_difference() -> None:
    """Ten models of equal strength: uncorrected, some of the 45 comparisons are below 0.05."""
    random = np.random.default_rng(11)
    scores = {f"m{index}": _rows(random.integers(0, 2, size=200)) for index in range(10)}
    assert {rank.rank for rank in ranks(scores)} == {1}


def test_smallest_difference_is_found_with_the_power_it_says() -> None:
    stderr = 0.02
    seen = smallest_difference(stderr)
    assert stats.norm.sf(stats.norm.ppf(0.975) - seen / stderr) == pytest.approx(0.8, abs=1e-3)
    assert smallest_difference_of_scores(stderr) == pytest.approx(np.sqrt(2) * seen)
