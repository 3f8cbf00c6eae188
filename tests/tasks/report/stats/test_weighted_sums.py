"""Intervals and detectable differences of weighted sums; how often intervals hold the truth."""

from math import sqrt

import numpy as np
import pytest
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from tasks.report.stats.detectable_difference import smallest_difference_of_scores
from tasks.report.stats.weighted_sums import Mean, Term, detectable_difference, effective_n, interval_of_sum


def _share(right: float, n: float, weight: float = 1.0, top: float = 1.0) -> Term:
    share = right / n
    return Term(weight, Mean(top * share, top * sqrt(share * (1 - share) / n), top, n, is_share=True))


@pytest.mark.parametrize(("right", "n"), [(0, 10), (1, 10), (10, 10), (81, 263), (1319, 1319), (0.5, 3), (0, 1)])
def test_of_one_member_it_is_wilsons(right: float, n: int) -> None:
    interval = interval_of_sum([_share(right, n)])
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(proportion_confint(right, n, method="wilson"), abs=1e-6)


@pytest.mark.parametrize(("first", "n1", "second", "n2"), [(7, 34, 1, 34), (56, 80, 48, 80), (5, 9, 5, 9)])
def test_of_a_difference_it_is_that_of_miettinen_and_nurminen(first: int, n1: int, second: int, n2: int) -> None:
    """Within what statsmodels solves its equation to."""
    ours = interval_of_sum([_share(first, n1), _share(second, n2, weight=-1)])
    theirs = confint_proportions_2indep(first, n1, second, n2, compare="diff", method="score", correction=True)
    assert ours is not None
    assert (ours.low, ours.high) == pytest.approx(theirs, abs=0.003)


@pytest.mark.parametrize("members", [2, 7, 60])
@pytest.mark.parametrize("right", [0, 5])
def test_it_has_a_width_at_the_ends_and_stays_in_the_scale(members: int, right: int) -> None:
    interval = interval_of_sum([_share(right, 5, 1 / members, 100) for _ in range(members)])
    assert interval is not None
    low, high = (0, interval.high) if right == 0 else (interval.low, 100)
    assert (interval.low, interval.high) == pytest.approx((low, high))
    assert 100 * 2 / (5 * members) < interval.high - interval.low < 100 * 5 / (5 * members) + 5


def test_the_groups_of_the_reports() -> None:
    """Three members near the top, and 0 of 285 right in 57 members of 5."""
    high = interval_of_sum([_share(right, 10, 1 / 3, 100) for right in (10, 10, 9)])
    none = interval_of_sum([_share(0, 5, 1 / 57, 100) for _ in range(57)])
    assert high and none
    assert (high.low, high.high) == pytest.approx((83.91, 99.43), abs=0.01)
    assert (none.low, none.high) == pytest.approx((0, 1.65), abs=0.01)


def test_a_sum_is_not_a_mean() -> None:
    terms = [_share(3, 10, 1.0, 100), _share(9, 12, 1.0, 100)]
    whole, half = interval_of_sum(terms), interval_of_sum([Term(0.5, term.mean) for term in terms])
    assert whole and half
    assert (whole.low, whole.high) == pytest.approx((2 * half.low, 2 * half.high))


def test_where_a_scale_is_not_known_it_is_the_normal_one_or_none() -> None:
    interval = interval_of_sum([Term(0.5, Mean(10, 3)), Term(0.5, Mean(20, 4))])
    assert interval is not None
    assert (interval.low, interval.high, interval.method) == pytest.approx((10.1, 19.9, "normal"), abs=0.01)
    assert interval_of_sum([Term(0.5, Mean(0, 0)), Term(0.5, Mean(0, 0))]) is None
    assert interval_of_sum([Term(1, Mean(10, None))]) is None


def test_dependent_answers_count_for_as_many_as_their_error_says() -> None:
    assert effective_n(50, 100, 100 * sqrt(0.25 / 99), 1) == pytest.approx(100)
    assert effective_n(50, 100, 100 * sqrt(0.25 / 99), 20, 60) == 60  # never more than were asked
    assert effective_n(50, 100, 40.0, 20, 60) == 20  # nor fewer than rows
    assert effective_n(0, 100, 0.0, 20, 60) == 20


def test_the_detectable_difference_holds_at_the_ends() -> None:
    """7.85/n for n large: the difference for which a comparison with 0 of n has 80 % power."""
    assert detectable_difference([_share(0, 285)]) == pytest.approx(7.85 / 285, rel=0.02)
    assert detectable_difference([_share(285, 285)]) == pytest.approx(detectable_difference([_share(0, 285)]))
    assert detectable_difference([_share(0, 1)]) is None  # no other result could be told from it


def test_in_the_middle_it_is_that_of_two_equal_errors() -> None:
    terms = [_share(2000, 4000, 0.5), _share(1000, 2000, 0.5)]
    error = sqrt(0.25 * 0.25 / 4000 + 0.25 * 0.25 / 2000)
    assert detectable_difference(terms) == pytest.approx(smallest_difference_of_scores(error), rel=0.01)
    assert detectable_difference([Term(1, Mean(5, 2))]) == pytest.approx(smallest_difference_of_scores(2))
    assert detectable_difference([Term(1, Mean(5, 0))]) is None


def test_the_detectable_difference_is_detected() -> None:
    """Simulated: as often as its power says, by a score test of the difference."""
    random = np.random.default_rng(4)
    draws, n, p = 2000, 200, 0.9
    difference = detectable_difference([_share(n * p, n)])
    assert difference is not None
    first, second = random.binomial(n, p, draws) / n, random.binomial(n, p - difference, draws) / n
    pooled = (first + second) / 2
    found = abs(first - second) > 1.96 * np.sqrt(2 * pooled * (1 - pooled) / n)
    assert found.mean() == pytest.approx(0.8, abs=0.03)
