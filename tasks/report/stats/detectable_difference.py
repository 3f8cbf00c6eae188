"""What a run could have seen."""

from math import sqrt
from statistics import NormalDist

from tasks.report.stats.interval import LEVEL, critical_value

POWER = 0.8


def smallest_difference(stderr: float, level: float = LEVEL, power: float = POWER) -> float:
    """The true difference that a comparison with this standard error finds with probability `power`.

    (z of the level + z of the power) × standard error: Miller 2024, arXiv:2411.00640, power analysis.
    """
    return (critical_value(level) + NormalDist().inv_cdf(power)) * stderr


def smallest_difference_of_scores(stderr: float, level: float = LEVEL, power: float = POWER) -> float:
    """The same for another model's score of equal standard error, where answers are not compared row by row."""
    return smallest_difference(sqrt(2) * stderr, level, power)
