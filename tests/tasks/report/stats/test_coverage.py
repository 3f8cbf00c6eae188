"""How often the interval of a group holds the true value, by simulation.

`python -m tests.tasks.report.stats.test_coverage` prints the table of `docs/statistics.md`.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from tasks.report.stats.weighted_sums import Mean, Term, interval_of_sum

Case = tuple[int, int, float, bool]
"""Members, samples of each, mean of their true proportions, and whether members differ."""
MEMBERS, SIZES, PROPORTIONS = (2, 5, 20, 60), (5, 20, 100, 1000, 5000), (0.0, 0.01, 0.05, 0.2, 0.5, 0.9, 0.99, 1.0)


def coverage(case: Case, draws: int, seed: int = 7) -> float:
    """Percent of intervals that hold the group's true value.

    Members that differ have proportions from a beta distribution, sizes of 0.3 to 1.7 times the given one, and weights
    of 0.5 to 1.5.
    """
    members, size, proportion, differ = case
    random = np.random.default_rng(seed)
    truth, sizes = np.full(members, proportion), np.full(members, size)
    weights = np.full(members, 1 / members)
    if differ and 0 < proportion < 1:
        truth = random.beta(4 * proportion, 4 * (1 - proportion), members)
    if differ:
        sizes = np.maximum(2, np.round(size * random.uniform(0.3, 1.7, members))).astype(int)
        weights = random.uniform(0.5, 1.5, members)
        weights /= weights.sum()
    value = float((weights * truth).sum())
    right = random.binomial(sizes, truth, (draws, members))
    patterns, counts = np.unique(right, axis=0, return_counts=True)
    held = sum(
        count
        for row, count in zip(patterns, counts, strict=True)
        if _holds(row, sizes.tolist(), weights.tolist(), value)
    )
    return 100 * held / draws


def _holds(right: Sequence[int], sizes: Sequence[int], weights: Sequence[float], value: float) -> bool:
    terms = [
        Term(float(weight), Mean(float(r / n), None, 1.0, float(n)))
        for r, n, weight in zip(right, sizes, weights, strict=True)
    ]
    interval = interval_of_sum(terms)
    return interval is not None and interval.low - 1e-7 <= value <= interval.high + 1e-7


@pytest.mark.slow
@pytest.mark.parametrize("differ", [False, True])
@pytest.mark.parametrize(("members", "size"), [(2, 5), (2, 1000), (7, 30), (30, 5), (60, 20)])
@pytest.mark.parametrize("proportion", [0.2, 0.5, 0.95])
def test_it_holds_the_truth_as_often_as_it_says(members: int, size: int, proportion: float, differ: bool) -> None:
    """93 to 97 %, with the error of 1,500 draws; with fewer than 100 samples in all, counts are too coarse for that."""
    low, high = (92, 98.5) if members * size >= 100 else (89, 99.5)
    assert low <= coverage((members, size, proportion, differ), 1500) <= high


@pytest.mark.parametrize("proportion", [0.0, 1.0])
def test_at_the_ends_it_always_holds(proportion: float) -> None:
    assert coverage((20, 5, proportion, False), 10) == coverage((60, 100, proportion, True), 10) == 100


def main() -> None:
    """Prints all cases."""
    print("members,n,p,differ,coverage")  # noqa: T201
    for members in MEMBERS:
        for size in SIZES:
            for proportion in PROPORTIONS:
                for differ in (False, True):
                    found = coverage((members, size, proportion, differ), 2000)
                    print(f"{members},{size},{proportion},{differ},{found:.1f}", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
