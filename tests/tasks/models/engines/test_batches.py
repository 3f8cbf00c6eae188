"""Batches are filled by what they cost with their filler, the longest first."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.models.engines.batches import next_batch, padded


def test_as_many_as_fit_beside_the_longest():
    waiting = [1, 5, 3, 4, 2]
    assert next_batch(waiting, size=lambda n: n, budget=15) == [5, 4, 3]
    assert waiting == [1, 2]


def test_one_that_is_larger_than_the_budget_goes_alone():
    waiting = [100, 1]
    assert next_batch(waiting, size=lambda n: n, budget=10) == [100]


def test_a_large_batch_is_not_mostly_filler():
    waiting = [10] * 20 + [100] * 12
    assert next_batch(waiting, size=lambda n: n, budget=10_000) == [100] * 12 + [10] * 2
    assert next_batch(waiting, size=lambda n: n, budget=10_000) == [10] * 18


def test_only_one_kind_per_batch():
    waiting = ["aa", "b", "ab", "a"]
    assert set(next_batch(waiting, size=len, budget=100, group=lambda word: word[0])) == {"aa", "ab", "a"}
    assert waiting == ["b"]


@given(st.lists(st.integers(1, 50), min_size=1), st.integers(1, 200))
def test_everything_is_taken_once_and_no_batch_is_too_large(sizes: list[int], budget: int):
    waiting, taken = list(sizes), list[int]()
    while waiting:
        batch = next_batch(waiting, size=lambda n: n, budget=budget)
        assert len(batch) == 1 or len(batch) * max(batch) <= budget
        taken += batch
    assert sorted(taken) == sorted(sizes)


def test_filler_goes_where_it_is_wanted():
    assert padded([[1, 2], [3]], 0, left=True) == ([[1, 2], [0, 3]], [[1, 1], [0, 1]])
    assert padded([[1, 2], [3]], 0, left=False) == ([[1, 2], [3, 0]], [[1, 1], [1, 0]])
