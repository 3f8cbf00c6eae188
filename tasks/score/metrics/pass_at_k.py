"""pass@k: how likely one of k programs is right (Chen et al. 2021, arXiv:2107.03374)."""

from collections.abc import Hashable, Sequence
from math import comb
from statistics import fmean


def pass_at_k(n: int, c: int, k: int) -> float:
    """The unbiased estimate from `n` programs of which `c` are right, as a fraction; `k` is at most `n`."""
    return 1 - comb(n - c, k) / comb(n, k)


def pass_metrics(tasks: Sequence[Hashable], verdicts: Sequence[Sequence[bool]], ks: Sequence[int]) -> dict[int, float]:
    """pass@k in percent by `k`, averaged over the tasks that have at least `k` programs.

    `tasks` says which task each sample belongs to, `verdicts` which of its programs are right. A `k` for which no task
    has enough programs is left out.
    """
    by_task: dict[Hashable, list[bool]] = {}
    for task, right in zip(tasks, verdicts, strict=True):
        by_task.setdefault(task, []).extend(right)
    metrics: dict[int, float] = {}
    for k in ks:
        estimates = [pass_at_k(len(right), sum(right), k) for right in by_task.values() if len(right) >= k]
        if estimates:
            metrics[k] = 100 * fmean(estimates)
    return metrics
