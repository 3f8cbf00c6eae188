"""The cuts of OpenCompass's documentation and of its own examples."""

import pytest

from tasks.plan.partitioners import NaivePartitioner, NumWorkerPartitioner, Piece, Sized, SizePartitioner
from tasks.spec.findings import UserError


def cuts(tasks: list[list[Piece]]) -> list[list[tuple[int, int, int]]]:
    return [[(piece.dataset, piece.start, piece.stop) for piece in task] for task in tasks]


def sized(*sizes: int) -> list[Sized]:
    return [Sized(f"set{index}", size) for index, size in enumerate(sizes)]


def test_gsm8k_for_four_workers_is_cut_into_pieces_of_330_rows():
    tasks = NumWorkerPartitioner(num_worker=4).partition(sized(1319))
    assert cuts(tasks) == [[(0, 0, 330)], [(0, 330, 660)], [(0, 660, 990)], [(0, 990, 1319)]]


def test_pieces_are_dealt_out_and_small_datasets_stay_whole():
    tasks = NumWorkerPartitioner(num_worker=3).partition(sized(100, 10))
    assert cuts(tasks) == [[(0, 0, 34), (1, 0, 10)], [(0, 34, 68)], [(0, 68, 100)]]
    assert tasks[0][1].number is None and tasks[0][0].number == 0


def test_one_worker_gets_everything_whole():
    assert cuts(NumWorkerPartitioner(num_worker=1).partition(sized(100, 10))) == [[(0, 0, 100), (1, 0, 10)]]


def test_split_gives_every_piece_its_own_task():
    tasks = NumWorkerPartitioner(num_worker=2, num_split=4, strategy="split").partition(sized(64, 5))
    assert cuts(tasks) == [[(0, 0, 16)], [(0, 16, 32)], [(0, 32, 48)], [(0, 48, 64)], [(1, 0, 5)]]


def test_no_piece_is_smaller_than_the_minimum():
    assert cuts(NumWorkerPartitioner(num_worker=8).partition(sized(40))) == [[(0, 0, 16)], [(0, 16, 32)], [(0, 32, 40)]]


@pytest.mark.parametrize("sizes", [[0], [1, 0, 3], [1000, 17, 16]])
@pytest.mark.parametrize("workers", [1, 3, 8])
def test_every_row_is_in_exactly_one_piece(sizes: list[int], workers: int):
    tasks = NumWorkerPartitioner(num_worker=workers).partition(sized(*sizes))
    rows = sorted((p.dataset, row) for task in tasks for p in task for row in range(p.start, p.stop))
    assert rows == [(index, row) for index, size in enumerate(sizes) for row in range(size)]


def test_naive_makes_one_task_per_n_datasets():
    assert cuts(NaivePartitioner().partition(sized(3, 4))) == [[(0, 0, 3)], [(1, 0, 4)]]
    assert cuts(NaivePartitioner(n=2).partition(sized(3, 4, 5))) == [[(0, 0, 3), (1, 0, 4)], [(2, 0, 5)]]


def test_a_generative_dataset_is_cut_into_equal_pieces_that_fit():
    tasks = SizePartitioner(max_task_size=2000).partition(sized(250))
    assert cuts(tasks) == [[(0, 0, 84)], [(0, 84, 168)], [(0, 168, 250)]]


def test_rows_with_labels_cost_as_much_as_their_labels_and_small_datasets_share_a_task():
    ppl = [Sized("a", 300, labels=4), Sized("b", 100, labels=2), Sized("c", 500, labels=4)]
    assert cuts(SizePartitioner(max_task_size=2000).partition(ppl)) == [[(2, 0, 500)], [(0, 0, 300), (1, 0, 100)]]


def test_datasets_with_long_answers_cost_ten_times_as_much():
    assert cuts(SizePartitioner(max_task_size=400).partition([Sized("gsm8k_x", 4)])) == [[(0, 0, 2)], [(0, 2, 4)]]


def test_a_row_that_costs_more_than_a_task_may_is_a_task():
    assert cuts(SizePartitioner(max_task_size=5).partition(sized(2))) == [[(0, 0, 1)], [(0, 1, 2)]]


def test_split_merges_nothing():
    assert len(SizePartitioner(strategy="split").partition(sized(1, 2, 3))) == 3


@pytest.mark.parametrize(
    ("partitioner", "arguments"),
    [
        (NaivePartitioner, {"n": 0}),
        (NumWorkerPartitioner, {"num_worker": 0}),
        (NumWorkerPartitioner, {"strategy": "best"}),
        (SizePartitioner, {"max_task_size": 0}),
        (SizePartitioner, {"gen_task_coef": -1}),
    ],
)
def test_impossible_arguments_are_refused_by_name(partitioner: type, arguments: dict[str, object]):
    with pytest.raises(UserError, match=next(iter(arguments))):
        partitioner(**arguments)


def test_datasets_of_unknown_size_share_a_task():
    assert cuts(SizePartitioner().partition(sized(0, 0))) == [[(0, 0, 0), (1, 0, 0)]]
    assert cuts(SizePartitioner(max_task_size=40).partition(sized(0, 3))) == [[(1, 0, 2)], [(1, 2, 3), (0, 0, 0)]]
