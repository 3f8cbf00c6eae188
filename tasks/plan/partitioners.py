"""How the datasets of a model are cut into tasks (OpenCompass's partitioners)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, Protocol

from tasks.spec.findings import UserError

_LONG_ANSWERS = (
    "bbh*", "gsm8k*", "math*", "strategyqa*", "agieval-jec*", "agieval-gaokao-mathcloze", "agieval-math",
    "*professional_law",
)  # fmt: skip
"""Datasets whose rows cost ten times as much (OpenCompass's list)."""
_LONG_FACTOR = 10


@dataclass(frozen=True, slots=True)
class Sized:
    """What a partitioner knows of a dataset."""

    abbr: str
    rows: int
    """Planned rows times repeats."""
    labels: int | None = None
    """How many texts are compared per row; None where an answer is generated."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows `start:stop` of one dataset."""

    dataset: int
    """Index among the datasets handed to the partitioner."""
    start: int
    stop: int
    number: int | None = None
    """Which piece of its dataset it is; None where the dataset is not cut."""


class Partitioner(Protocol):
    """Cuts the datasets of one model into tasks."""

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]: ...


class NaivePartitioner:
    """One task per dataset, or per `n` datasets."""

    def __init__(self, n: int = 1) -> None:
        _check_positive("NaivePartitioner", n=n)
        self.n = n

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]:
        whole = [Piece(index, 0, dataset.rows) for index, dataset in enumerate(datasets)]
        return [whole[start : start + self.n] for start in range(0, len(whole), self.n)]


class NumWorkerPartitioner:
    """Cuts every dataset into `num_split` pieces and deals them out to `num_worker` tasks.

    `strategy="split"` gives every piece a task of its own. Pieces have at least `min_task_size` rows.
    """

    def __init__(
        self,
        num_worker: int = 8,
        num_split: int | None = None,
        min_task_size: int = 16,
        strategy: Literal["heuristic", "split"] = "heuristic",
        dataset_size_path: str | None = None,
        force_rebuild: bool = False,
    ) -> None:
        """`dataset_size_path` and `force_rebuild` are accepted for compatibility: sizes are never stale here."""
        _check_positive(
            "NumWorkerPartitioner", num_worker=num_worker, num_split=num_split or 1, min_task_size=min_task_size
        )
        _check_strategy("NumWorkerPartitioner", strategy)
        self.num_worker = num_worker
        self.num_split = num_split or num_worker
        self.min_task_size = min_task_size
        self.strategy = strategy
        self.dataset_size_path = dataset_size_path
        self.force_rebuild = force_rebuild

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]:
        pieces = [piece for index, dataset in enumerate(datasets) for piece in self._cut(index, dataset.rows)]
        if self.strategy == "split":
            return [[piece] for piece in pieces]
        buckets = [pieces[start :: self.num_worker] for start in range(self.num_worker)]
        return [bucket for bucket in buckets if bucket]

    def _cut(self, dataset: int, size: int) -> list[Piece]:
        if self.num_split <= 1 or size <= self.min_task_size:
            return [Piece(dataset, 0, size)]
        return _pieces(dataset, size, max(-(-size // self.num_split), self.min_task_size))


class SizePartitioner:
    """Cuts and merges datasets into tasks of at most `max_task_size`.

    The size of a dataset is its rows times a factor: the number of its labels, or `gen_task_coef` where answers are
    generated, ten times that for datasets with long answers. `strategy="split"` merges nothing.
    """

    def __init__(
        self,
        max_task_size: int = 40000,
        gen_task_coef: int = 20,
        strategy: Literal["heuristic", "split"] = "heuristic",
        dataset_size_path: str | None = None,
    ) -> None:
        """`dataset_size_path` is accepted for compatibility: sizes are never stale here."""
        _check_positive("SizePartitioner", max_task_size=max_task_size, gen_task_coef=gen_task_coef)
        _check_strategy("SizePartitioner", strategy)
        self.max_task_size = max_task_size
        self.gen_task_coef = gen_task_coef
        self.strategy = strategy
        self.dataset_size_path = dataset_size_path

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]:
        largest_first = sorted(enumerate(datasets), key=lambda item: -item[1].rows * self._factor(item[1]))
        chunks = [chunk for index, dataset in largest_first for chunk in self._chunks(index, dataset)]
        chunks.sort(key=lambda chunk: -chunk[0])
        tasks: list[list[Piece]] = []
        size = 0
        for cost, piece in chunks:
            if not tasks or self.strategy == "split" or size + cost > self.max_task_size:
                tasks.append([])
                size = 0
            tasks[-1].append(piece)
            size += cost
        return tasks

    def _chunks(self, index: int, dataset: Sized) -> list[tuple[int, Piece]]:
        factor = self._factor(dataset)
        cost = dataset.rows * factor
        if cost <= self.max_task_size:
            return [(cost, Piece(index, 0, dataset.rows))]
        most = max(1, self.max_task_size // factor)
        step = -(-dataset.rows // -(-dataset.rows // most))
        return [(self.max_task_size, piece) for piece in _pieces(index, dataset.rows, step)]

    def _factor(self, dataset: Sized) -> int:
        factor = self.gen_task_coef if dataset.labels is None else max(1, dataset.labels)
        long_answers = any(fnmatchcase(dataset.abbr, pattern) for pattern in _LONG_ANSWERS)
        return factor * _LONG_FACTOR if long_answers else factor


def _pieces(dataset: int, size: int, step: int) -> list[Piece]:
    starts = range(0, size, step)
    return [Piece(dataset, start, min(start + step, size), number) for number, start in enumerate(starts)]


def _check_positive(owner: str, **numbers: int) -> None:
    for name, value in numbers.items():
        if value < 1:
            raise UserError(f"{owner}: {name} must be at least 1, got {value}")


def _check_strategy(owner: str, strategy: str) -> None:
    if strategy not in ("heuristic", "split"):
        raise UserError(f"{owner}: strategy is 'heuristic' or 'split', not {strategy!r}")
