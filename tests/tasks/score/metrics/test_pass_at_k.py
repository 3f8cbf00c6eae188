"""The estimate of pass@k."""

from itertools import combinations

import pytest

from tasks.score.metrics.pass_at_k import pass_at_k, pass_metrics


@pytest.mark.parametrize(("n", "c", "k"), [(5, 2, 1), (5, 2, 3), (5, 0, 2), (5, 5, 2), (6, 4, 3)])
def test_it_is_the_share_of_draws_with_a_right_one(n: int, c: int, k: int) -> None:
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_tasks_with_too_few_programs_do_not_count() -> None:
    verdicts = [[True], [False], [True, True, False]]
    metrics = pass_metrics(["a", "a", "b"], verdicts, [1, 2, 3, 4])
    assert metrics == {1: pytest.approx(100 * (1 / 2 + 2 / 3) / 2), 2: 100.0, 3: 100.0}


def test_large_numbers_stay_exact() -> None:
    assert pass_at_k(10_000, 1, 1) == pytest.approx(1e-4)
