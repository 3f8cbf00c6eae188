"""How the datasets of a model are cut into tasks (OpenCompass's partitioners)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from tasks.spec.findings import UserError


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
    """Cuts datasets of the given sizes into tasks."""

    def partition(self, sizes: Sequence[int]) -> list[list[Piece]]: ...


class NaivePartitioner:
    """One task per dataset, or per `n` datasets."""

    def __init__(self, n: int = 1) -> None:
        if n < 1:
            raise UserError(f"NaivePartitioner: n is the number of datasets per task and must be at least 1, not {n}")
        self.n = n

    def partition(self, sizes: Sequence[int]) -> list[list[Piece]]:
        whole = [Piece(index, 0, size) for index, size in enumerate(sizes)]
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
        for name, value in (
            ("num_worker", num_worker),
            ("num_split", num_split or 1),
            ("min_task_size", min_task_size),
        ):
            if value < 1:
                raise UserError(f"NumWorkerPartitioner: {name} must be at least 1, not {value}")
        if strategy not in ("heuristic", "split"):
            raise UserError(f"NumWorkerPartitioner: strategy is 'heuristic' or 'split', not {strategy!r}")
        self.num_worker = num_worker
        self.num_split = num_split or num_worker
        self.min_task_size = min_task_size
        self.strategy = strategy
        self.dataset_size_path = dataset_size_path
        self.force_rebuild = force_rebuild

    def partition(self, sizes: Sequence[int]) -> list[list[Piece]]:
        pieces = [piece for index, size in enumerate(sizes) for piece in self._cut(index, size)]
        if self.strategy == "split":
            return [[piece] for piece in pieces]
        buckets = [pieces[start :: self.num_worker] for start in range(self.num_worker)]
        return [bucket for bucket in buckets if bucket]

    def _cut(self, dataset: int, size: int) -> list[Piece]:
        if self.num_split <= 1 or size <= self.min_task_size:
            return [Piece(dataset, 0, size)]
        step = max(-(-size // self.num_split), self.min_task_size)
        starts = range(0, size, step)
        return [Piece(dataset, start, min(start + step, size), number) for number, start in enumerate(starts)]
