"""Intervals of weighted sums of independent means that lie on a scale, e.g. of the proportions of several datasets.

The score interval: the true values that a score test does not reject, with the members' proportions estimated under
each by maximum likelihood (Martín Andrés, Álvarez Hernández & Herranz Tejedor 2011, Statistical Methods in Medical
Research 20:369-387). Of one member it is Wilson's. It stays in the scale and has a width at both ends of it.

Estimating k members costs k - 1 degrees of freedom, as Miettinen & Nurminen 1985 (Statistics in Medicine 4:213-226)
correct it for two: variances have n - (k - 1)/k in the denominator instead of n.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from tasks.report.stats.detectable_difference import POWER, smallest_difference_of_scores
from tasks.report.stats.interval import LEVEL, Interval, critical_value, normal_interval

_FARTHEST = 1e9
_STEPS = 60
_EXACT = 1e-9


@dataclass(frozen=True)
class Mean:
    """A metric that is a mean over samples."""

    value: float
    stderr: float | None
    top: float | None = None
    """The samples' values lie between 0 and this; None if that is not known."""
    n: float | None = None
    """How many independent right-or-wrong samples of this mean would be as certain; None if that is not known."""
    is_share: bool = False
    """Whether every sample is right or wrong, so that the value is a share of `top`."""


@dataclass(frozen=True)
class Term:
    """A mean and its weight in a sum."""

    weight: float
    mean: Mean


class _Member(NamedTuple):
    """A term with a mean on a scale, as a proportion `right / n` with a weight."""

    weight: float
    right: float
    n: float

    def can_move(self, sign: float) -> bool:
        """Whether the estimate changes with a multiplier of this sign."""
        return self.right > 0 if sign * self.weight > 0 else self.right < self.n


class _Point(NamedTuple):
    """The members under one true value of their sum."""

    total: float
    variance: float
    corrected: float
    """The variance with the correction for the estimated members."""


def effective_n(value: float, top: float, stderr: float | None, least: int, most: int | None = None) -> float:
    """How many independent right-or-wrong samples of this mean would have its standard error: p(1-p)/se² + 1.

    Korn & Graubard 1998, Survey Methodology 24:193-201. `least` where there is no spread to tell it.
    """
    share = min(1.0, max(0.0, value / top))
    if not stderr or share in (0.0, 1.0):
        return least
    found = max(float(least) if most is not None else 1.0, share * (1 - share) / (stderr / top) ** 2 + 1)
    return found if most is None else min(most, found)


def interval_of_sum(terms: Sequence[Term], level: float = LEVEL) -> Interval | None:
    """The score interval where the scales of all terms are known, else value ± z standard errors.

    None where nothing tells the spread.
    """
    members = _members(terms)
    if members is None:
        error = standard_error_of_sum(terms)
        return normal_interval(fsum(term.weight * term.mean.value for term in terms), error, level) if error else None
    z = critical_value(level)
    return Interval(
        _limit(members, 1.0, z), _limit(members, -1.0, z), level, "wilson" if len(members) == 1 else "score"
    )


def standard_error_of_sum(terms: Sequence[Term]) -> float | None:
    """sqrt(Σ w²·se²), the terms being independent; None where a standard error is not known."""
    errors = [term.mean.stderr for term in terms]
    if None in errors:
        return None
    return sqrt(fsum((term.weight * (error or 0.0)) ** 2 for term, error in zip(terms, errors, strict=True)))


def detectable_difference(terms: Sequence[Term], level: float = LEVEL, power: float = POWER) -> float | None:
    """The smallest true difference from an independent, equally large result that would be seen with this power.

    On a known scale: a difference d is seen if d ≥ z(level)·√(2·V(middle)) + z(power)·√(V(this) + V(other)), where V is
    the variance under each true value (Fleiss, Levin & Paik 2003, Statistical Methods for Rates and Proportions,
    section 4.3). Of an increase and a decrease the larger, unless the scale ends before.
    """
    members = _members(terms)
    if members is None:
        error = standard_error_of_sum(terms)
        return smallest_difference_of_scores(error, level, power) if error else None
    found = [_difference(members, sign, level, power) for sign in (1.0, -1.0)]
    return max((value for value in found if value is not None), default=None)


def _members(terms: Sequence[Term]) -> list[_Member] | None:
    members: list[_Member] = []
    for term in terms:
        top, n = term.mean.top, term.mean.n
        if top is None or n is None:
            return None
        members.append(_Member(term.weight * top, min(1.0, max(0.0, term.mean.value / top)) * n, n))
    return members or None


def _estimates(members: Sequence[_Member], multiplier: float) -> list[float]:
    """The proportions of maximum likelihood where a change of the weighted sum costs `multiplier`."""
    shares: list[float] = []
    for weight, right, n in members:
        pull = multiplier * weight
        middle = pull + n
        root = sqrt(max(0.0, middle * middle - 4 * pull * right))
        shares.append(2 * right / (middle + root) if middle + root > 0 else (middle - root) / (2 * pull))
    return shares


def _point(members: Sequence[_Member], shares: Sequence[float]) -> _Point:
    lost = (len(members) - 1) / len(members)
    total = variance = corrected = 0.0
    for (weight, _, n), share in zip(members, shares, strict=True):
        spread = weight * weight * share * max(0.0, 1 - share)
        total += weight * share
        variance += spread / n
        corrected += spread / (n - lost)
    return _Point(total, variance, corrected)


def _limit(members: Sequence[_Member], sign: float, z: float) -> float:
    """Where the score statistic reaches z: below the value for sign 1, above it for -1."""

    def excess(size: float) -> float:
        """The distance of the value from the sum is the multiplier times the variance."""
        point = _point(members, _estimates(members, sign * size))
        return size * point.variance / sqrt(point.corrected) - z if point.corrected > 0 else -z

    here = _point(members, _estimates(members, 0.0))
    if not any(member.can_move(sign) for member in members):
        return here.total
    size = _crossing(excess, z / sqrt(here.corrected) if here.corrected else 1.0)
    return _point(members, _estimates(members, sign * size)).total


def _difference(members: Sequence[_Member], sign: float, level: float, power: float) -> float | None:
    """The smallest difference in the direction of `sign` that would be seen; None if the scale ends before."""
    own = _estimates(members, 0.0)
    here = _point(members, own)
    z_level, z_power = critical_value(level), NormalDist().inv_cdf(power)

    def other(size: float) -> tuple[float, float]:
        shares = _estimates(members, -sign * size)
        there = _point(members, shares)
        middle = _point(members, [(first + second) / 2 for first, second in zip(own, shares, strict=True)])
        needed = z_level * sqrt(2 * middle.corrected) + z_power * sqrt(here.corrected + there.corrected)
        return sign * (there.total - here.total), needed

    def excess(size: float) -> float:
        difference, needed = other(size)
        return difference - needed if difference > 0 else -1.0

    ends = sum(member.weight * ((sign > 0) == (member.weight > 0)) for member in members)
    if sign * (ends - here.total) <= 0 or excess(_FARTHEST) < 0:
        return None
    return other(_crossing(excess, 1 / sqrt(here.corrected) if here.corrected else 1.0))[0]


def _crossing(excess: Callable[[float], float], guess: float) -> float:
    """The positive size from which on `excess` is positive: brackets by doubling, then regula falsi (Illinois)."""
    high = min(guess, _FARTHEST)
    while (above := excess(high)) < 0 and high < _FARTHEST:
        high *= 2
    low, below = high / 2, excess(high / 2)
    while below >= 0 and low > 1 / _FARTHEST:
        high, above, low, below = low, below, low / 2, excess(low / 2)
    for _ in range(_STEPS):
        if high - low <= _EXACT * high:
            break
        middle = (low * above - high * below) / (above - below)
        value = excess(middle)
        if value >= 0:
            high, above, below = middle, value, below / 2
        else:
            low, below, above = middle, value, above / 2
        if abs(value) <= _EXACT:
            return middle
    return high
