"""Several comparisons at once: corrected p-values, and ranks of models that may be tied."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from tasks.report.stats.interval import LEVEL
from tasks.report.stats.paired import Values, compare


@dataclass(frozen=True)
class Rank:
    """The place of a model among others."""

    name: str
    mean: float
    """Over its own rows."""
    n: int
    rank: int
    """One more than the number of models that are better beyond chance; models may share it."""
    tied_with: tuple[str, ...]
    """Models that the data do not distinguish from it."""


@dataclass(frozen=True)
class Corrected:
    """A difference and its p-value among others."""

    difference: float
    adjusted: float


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values that keep the chance of any false alarm: S. Holm 1979, Scand. J. Statistics 6:65-70."""
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - place)))
        adjusted[index] = largest
    return adjusted


def ranks(scores: Mapping[str, Values], level: float = LEVEL) -> list[Rank]:
    """The models from best to worst; pairs are compared on the rows they share and corrected by Holm's method.

    Models without values are left out; two that share no row are not distinguished.
    """
    means = {name: fmean(values.values()) for name, values in scores.items() if values}
    better: dict[str, set[str]] = {name: set() for name in means}
    for (first, second), p_value in corrected_pairs({name: scores[name] for name in means}).items():
        if p_value.adjusted < 1 - level:
            winner, loser = (second, first) if p_value.difference > 0 else (first, second)
            better[loser].add(winner)
    order = sorted(means, key=lambda name: (len(better[name]), -means[name]))
    return [
        Rank(name, means[name], len(scores[name]), 1 + len(better[name]), _ties(name, order, better)) for name in order
    ]


def corrected_pairs(scores: Mapping[str, Values]) -> dict[tuple[str, str], Corrected]:
    """All comparisons of two models that share rows, with p-values corrected by Holm's method."""
    pairs = {
        (first, second): compare(scores[first], scores[second])
        for first, second in combinations(scores, 2)
        if not scores[first].keys().isdisjoint(scores[second])
    }
    adjusted = holm([comparison.p_value for comparison in pairs.values()])
    return {
        names: Corrected(comparison.difference, p_value)
        for (names, comparison), p_value in zip(pairs.items(), adjusted, strict=True)
    }


def _ties(name: str, order: Sequence[str], better: Mapping[str, set[str]]) -> tuple[str, ...]:
    return tuple(other for other in order if other != name and other not in better[name] and name not in better[other])
