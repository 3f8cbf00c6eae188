"""Scoring tasks of one pair each that are executed together."""

import pytest

from tasks.plan.scoring_pieces import executed_together
from tasks.spec.storage.run_folder import Pair


def _pieces(sizes: list[int | None], at_once: int) -> list[int]:
    """How many pairs each piece of work has; together they are all pairs in their order."""
    pairs = [Pair("m", str(number)) for number in range(len(sizes))]
    pieces = executed_together([[pair] for pair in pairs], dict(zip(pairs, sizes, strict=True)), at_once)
    assert [pair for piece in pieces for pair in piece] == pairs
    return [len(piece) for piece in pieces]


@pytest.mark.parametrize(
    ("sizes", "at_once", "pieces"),
    [
        ([20] * 100, 1, [100]),
        ([20] * 8, 4, [2, 2, 2, 2]),
        ([20] * 3, 16, [1, 1, 1]),
        ([1500, 400, 400, 1500], 1, [2, 2]),
        ([None, None, None], 1, [1, 1, 1]),
        ([0, 0], 1, [2]),
        ([], 4, []),
    ],
)
def test_small_tasks_are_executed_together_unless_that_leaves_places_empty(
    sizes: list[int | None], at_once: int, pieces: list[int]
):
    assert _pieces(sizes, at_once) == pieces


@pytest.mark.parametrize("size", [None, 5000])
def test_a_run_of_very_many_pairs_has_at_most_1000_pieces_of_work(size: int | None):
    assert len(_pieces([size] * 10_001, 32)) <= 1000
