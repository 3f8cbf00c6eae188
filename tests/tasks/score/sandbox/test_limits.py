"""Limits of time that an evaluator asks for."""

import pytest

from tasks.score.sandbox.program import Limits


@pytest.mark.parametrize(("seconds", "cpu", "wall"), [(3, 3, 15.0), (0.2, 1, 15.0), (9.5, 10, 28.5), (60, 60, 180.0)])
def test_the_clock_leaves_time_to_a_busy_machine(seconds: float, cpu: int, wall: float) -> None:
    limits = Limits.of_seconds(seconds)
    assert (limits.cpu_seconds, limits.wall_seconds) == (cpu, wall)
