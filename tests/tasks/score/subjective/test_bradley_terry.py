"""Ratings from comparisons, against what can be worked out by hand."""

from math import log10

import pytest

from tasks.score.subjective.bradley_terry import Battle, ratings


def battles(first: str, second: str, won: int, lost: int, start: int = 0) -> list[Battle]:
    return [Battle(start + i, first, second, 1.0 if i < won else 0.0) for i in range(won + lost)]


def test_of_two_models_the_odds_are_those_that_were_seen() -> None:
    found = ratings(battles("new", "base", 300, 100), "base")
    assert found["new"].value == pytest.approx(1000 + 400 * log10(3), abs=0.01)
    assert found["new"].win_rate() == pytest.approx(75, abs=0.01)
    assert found["base"].value == 1000
    assert found["new"].low < found["new"].value < found["new"].high


def test_the_interval_is_that_of_the_share_of_wins() -> None:
    """A bootstrap of a share p of n questions has the standard error sqrt(p(1-p)/n)."""
    found = ratings(battles("new", "base", 300, 100), "base", rounds=400)["new"]
    low, high = 75 - 1.96 * (75 * 25 / 400) ** 0.5, 75 + 1.96 * (75 * 25 / 400) ** 0.5
    below, above = (type(found)(value, value, value).win_rate() for value in (found.low, found.high))
    assert below == pytest.approx(low, abs=1.0) and above == pytest.approx(high, abs=1.0)


def test_strengths_carry_over_to_models_that_never_met() -> None:
    found = ratings([*battles("b", "a", 90, 10), *battles("c", "b", 90, 10, 100)], "a", rounds=0)
    assert found["c"].value - 1000 == pytest.approx(2 * (found["b"].value - 1000), abs=0.1)


def test_ties_are_half_wins_and_weights_are_repetitions() -> None:
    tied = [Battle(i, "a", "b", 0.5) for i in range(10)]
    assert ratings(tied, "b", rounds=0)["a"].value == pytest.approx(1000, abs=1e-3)
    weighted = [Battle(0, "a", "b", 1.0, 3), Battle(1, "a", "b", 0.0)]
    assert ratings(weighted, "b", rounds=0)["a"].win_rate() == pytest.approx(75, abs=0.01)


def test_a_model_that_won_everything_has_a_finite_rating() -> None:
    found = ratings(battles("a", "b", 50, 0), "b")
    assert 2000 < found["a"].value < 10000 and found["a"].win_rate() > 99.9


def test_an_anchor_that_was_never_compared_is_an_error() -> None:
    with pytest.raises(ValueError, match="'c' was compared with no model"):
        ratings(battles("a", "b", 1, 1), "c")
