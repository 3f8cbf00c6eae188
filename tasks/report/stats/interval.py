"""Confidence intervals in closed form; nothing but the standard library, so that every summary can have them."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float
    level: float
    """E.g. 0.95."""
    method: str
    """How it was computed, as `docs/statistics.md` names it."""

    def scaled(self, factor: float) -> "Interval":
        """The interval of `factor` times the quantity; the factor is positive."""
        return Interval(self.low * factor, self.high * factor, self.level, self.method)


def is_binary(values: Sequence[float]) -> bool:
    """Whether the values are all 0 or 1."""
    return set(values) <= {0, 1}


def critical_value(level: float) -> float:
    """The standard normal quantile of a two-sided interval: 1.96 for 0.95."""
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson_interval(right: float, n: int, level: float = LEVEL) -> Interval:
    """Interval of a proportion, as a fraction: E. B. Wilson 1927, JASA 22:209-212, eq. 1.

    ValueError unless 0 ≤ `right` ≤ `n` and `n` ≥ 1.
    """
    if n < 1 or not 0 <= right <= n:
        raise ValueError(f"{right} of {n} is no proportion")
    z = critical_value(level)
    share = right / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return Interval(max(0.0, middle - half), min(1.0, middle + half), level, "wilson")


def normal_interval(mean: float, standard_error: float, level: float = LEVEL) -> Interval:
    """Mean ± z standard errors: the central limit theorem."""
    half = critical_value(level) * standard_error
    return Interval(mean - half, mean + half, level, "normal")
