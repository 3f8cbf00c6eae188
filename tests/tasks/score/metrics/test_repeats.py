"""G-Pass@k, against the values of its definition, and majorities."""

import pytest

from tasks.score.metrics.repeats import THRESHOLDS, g_pass_at_k, majority, mean_g_pass_at_k


@pytest.mark.parametrize(
    ("n", "c", "k", "values", "mean"),
    [
        (4, 2, 2, [0.8333, 0.8333, 0.8333, 0.1667, 0.1667], 0.1667),
        (8, 6, 4, [1, 1, 1, 0.7857, 0.2143], 0.5),
        (3, 0, 2, [0, 0, 0, 0, 0], 0),
        (3, 3, 2, [1, 1, 1, 1, 1], 1),
    ],
)
def test_vectors(n: int, c: int, k: int, values: list[float], mean: float) -> None:
    assert [g_pass_at_k(n, c, k, threshold) for threshold in THRESHOLDS] == pytest.approx(values, abs=1e-4)
    assert mean_g_pass_at_k(n, c, k) == pytest.approx(mean, abs=1e-4)


def test_majority() -> None:
    assert majority([("3", True), ("3", True), ("4", False)]) == 1.0
    assert majority([("3", True), ("4", False), ("4", False)]) == 0.0
    assert majority([("3", True), ("4", False)]) == 0.5
    assert majority([("", False), ("", False), ("3", True)]) == 1.0
    assert majority([("", False)]) == 0.0
