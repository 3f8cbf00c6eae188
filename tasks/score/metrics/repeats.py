"""What several answers to one row tell: G-Pass@k (Liu et al. 2024, arXiv:2412.13147) and the majority of k answers."""

from collections import Counter
from collections.abc import Sequence
from math import ceil, comb

THRESHOLDS = (0.0, 0.25, 0.5, 0.75, 1.0)


def g_pass_at_k(n: int, c: int, k: int, threshold: float) -> float:
    """Probability that at least `threshold` (and one) of `k` answers drawn from `n` with `c` right ones are right."""
    return _at_least(n, c, k, max(ceil(k * threshold), 1))


def mean_g_pass_at_k(n: int, c: int, k: int) -> float:
    """The mean of G-Pass@k over thresholds from one half to one."""
    return 2 / k * sum(_at_least(n, c, k, right) for right in range(ceil(k / 2) + 1, k + 1))


def g_pass_metrics(n: int, c: int, k: int) -> dict[str, float]:
    """All of them for one row, by the name OpenCompass gives them; fractions, not percentages."""
    metrics = {f"G-Pass@{k}_{threshold}": g_pass_at_k(n, c, k, threshold) for threshold in THRESHOLDS}
    return metrics | {f"mG-Pass@{k}": mean_g_pass_at_k(n, c, k)}


def majority(answers: Sequence[tuple[str, bool]]) -> float:
    """How far the answer given most often is right: 0 or 1, between them where several are given equally often.

    Each answer comes with whether it is right; empty ones do not vote. 0 where none votes.
    """
    votes = Counter(answer for answer, _ in answers if answer)
    if not votes:
        return 0.0
    most = max(votes.values())
    right = {answer for answer, is_right in answers if is_right}
    winners = [answer for answer, count in votes.items() if count == most]
    return sum(answer in right for answer in winners) / len(winners)


def _at_least(n: int, c: int, k: int, right: int) -> float:
    """The upper tail of the hypergeometric distribution."""
    ways = sum(comb(c, i) * comb(n - c, k - i) for i in range(right, min(c, k) + 1))
    return ways / comb(n, k)
