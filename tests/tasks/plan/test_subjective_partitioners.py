"""Partitioners of judged datasets."""

import pytest

from tasks.plan.partitioners import Sized
from tasks.plan.subjective_partitioners import (
    SubjectiveNaivePartitioner,
    SubjectiveNumWorkerPartitioner,
    SubjectiveSizePartitioner,
)
from tasks.spec.findings import UserError

SETS = [Sized("a", 100), Sized("b", 5000), Sized("c", 100)]


def shape(partitioner: SubjectiveNaivePartitioner | SubjectiveNumWorkerPartitioner | SubjectiveSizePartitioner):
    return [[piece.dataset for piece in task] for task in partitioner.partition(SETS)]


def test_naive_takes_pair_by_pair() -> None:
    assert shape(SubjectiveNaivePartitioner()) == [[0], [1], [2]]
    assert shape(SubjectiveNaivePartitioner(n=2)) == [[0, 1], [2]]


def test_num_worker_deals_whole_pairs_out() -> None:
    assert shape(SubjectiveNumWorkerPartitioner(num_worker=2)) == [[0, 2], [1]]
    with pytest.raises(UserError, match="num_worker must be at least 1"):
        SubjectiveNumWorkerPartitioner(num_worker=0).partition(SETS)


def test_size_puts_small_pairs_together_and_cuts_none() -> None:
    tasks = SubjectiveSizePartitioner(max_task_size=40000).partition(SETS)
    assert sorted(piece.dataset for task in tasks for piece in task) == [0, 1, 2]
    assert all((piece.start, piece.stop) == (0, SETS[piece.dataset].rows) for task in tasks for piece in task)
    assert [[piece.dataset for piece in task] for task in tasks][-1] == [0, 2]
