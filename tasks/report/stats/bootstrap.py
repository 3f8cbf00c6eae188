"""The bootstrap of means, over rows or over clusters of values (Efron & Tibshirani 1993)."""

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tasks.report.optional_libraries import report_extra
from tasks.report.stats.interval import Interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DRAWS = 10_000
_SEED = 20_240_601
_FEW_KINDS = 128
"""Up to so many different clusters, how often each is drawn is drawn at once."""
_BLOCK = 1 << 16
"""Indices drawn at a time: they and the values stay in the processor's cache."""


def bootstrap_means(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, *, draws: int = DRAWS, seed: int = _SEED
) -> "Floats":
    """Means of `draws` samples with replacement; whole clusters are drawn where values of one are not independent.

    `clusters` names the cluster of each value. Equal seeds give equal draws. ValueError for no values.
    """
    with report_extra():
        import numpy as np
    if not len(values):
        raise ValueError("a bootstrap needs values")
    sums, sizes = _cluster_sums(np.asarray(values, dtype=float), clusters)
    random = np.random.default_rng(seed)
    kinds, counts = np.unique(np.column_stack([sums, sizes]), axis=0, return_counts=True)
    if len(kinds) <= _FEW_KINDS:  # the same distribution, drawn kind by kind
        drawn = random.multinomial(len(sums), counts / len(sums), size=draws)
        return (drawn @ kinds[:, 0]) / (drawn @ kinds[:, 1])
    return _drawn_by_index(random, sums, sizes, draws)


def bootstrap_of_means(
    groups: Sequence[Sequence[float]],
    weights: Sequence[float] | None = None,
    *,
    draws: int = DRAWS,
    seed: int = _SEED,
) -> "Floats":
    """Weighted means of the groups' means; each group is drawn by itself, since every run asks all of them."""
    with report_extra():
        import numpy as np
    shares = np.ones(len(groups)) if weights is None else np.asarray(weights, dtype=float)
    total = np.zeros(draws)
    for index, (values, weight) in enumerate(zip(groups, shares / shares.sum(), strict=True)):
        total += weight * bootstrap_means(values, draws=draws, seed=seed + index)
    return total


def percentiles(draws: "Floats", level: float, method: str) -> Interval:
    """The interval that holds the middle `level` of the draws."""
    with report_extra():
        import numpy as np
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, method)


def _cluster_sums(values: "Floats", clusters: Sequence[Hashable] | None) -> "tuple[Floats, Floats]":
    """Sum and size of each cluster."""
    import numpy as np

    if clusters is None:
        return values, np.ones(len(values))
    number: dict[Hashable, int] = {}
    index = np.array([number.setdefault(cluster, len(number)) for cluster in clusters])
    return np.bincount(index, weights=values).astype(float), np.bincount(index).astype(float)


def _drawn_by_index(random: "np.random.Generator", sums: "Floats", sizes: "Floats", draws: int) -> "Floats":
    """Distances from the mean are kept in half the memory, which is what limits the speed; they are summed exactly."""
    import numpy as np

    n = len(sums)
    kind = np.uint16 if n <= 1 << 16 else np.uint32
    mean = sums.sum() / sizes.sum()
    distances, weights = (sums - mean * sizes).astype(np.float32), sizes.astype(np.float32)
    even = bool((sizes == sizes[0]).all())
    means = np.empty(draws)
    step = max(1, _BLOCK // n)
    for start in range(0, draws, step):
        index = random.integers(0, n, size=(min(step, draws - start), n), dtype=kind)
        weight = n * sizes[0] if even else weights.take(index).sum(axis=1, dtype=float)
        means[start : start + len(index)] = mean + distances.take(index).sum(axis=1, dtype=float) / weight
    return means
