"""Partitioners of the scoring of subjective datasets (OpenCompass's): they also say who judges and who is compared.

Which comparisons there are is worked out when the configuration is read (`tasks.spec.subjective`); what is left here
is how many pairs one scoring task takes. No pair is cut into pieces: its judge calls run side by side anyway.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tasks.plan.partitioners import NaivePartitioner, Piece, Sized, SizePartitioner
from tasks.spec.findings import UserError
from tasks.spec.specs import ShownOrder


@dataclass(frozen=True, kw_only=True)
class _Contest:
    """Who judges and which models are compared; models are entries of configurations or abbreviations."""

    models: Sequence[Any] = ()
    """The models that are judged; all of the run where empty."""
    base_models: Sequence[Any] = ()
    """Those that the others are compared with, for datasets that name none."""
    compare_models: Sequence[Any] = ()
    """Those that are compared with the base models, instead of `models`."""
    judge_models: Sequence[Any] = ()
    """The judges; verdicts of several are pooled."""
    meta_judge_model: Any = None
    """Reads the verdicts of all judges and decides."""
    model_pairs: Sequence[Any] = ()
    """`(base, compared)` pairs of models, instead of base and compared models."""
    infer_order: ShownOrder | None = None
    """In which order two answers are shown, for datasets that do not say."""


@dataclass(frozen=True, kw_only=True)
class SubjectiveNaivePartitioner(_Contest):
    """One task per pair, or per `n` pairs."""

    n: int = 1

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]:
        return NaivePartitioner(self.n).partition(datasets)


@dataclass(frozen=True, kw_only=True)
class SubjectiveNumWorkerPartitioner(_Contest):
    """Deals the pairs out to `num_worker` tasks."""

    num_worker: int = 8
    num_worker_split: int | None = None
    """Accepted for compatibility, as is `min_task_size`: no pair is cut into pieces."""
    min_task_size: int = 16

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]:
        if self.num_worker < 1:
            raise UserError(f"SubjectiveNumWorkerPartitioner: num_worker must be at least 1, not {self.num_worker}")
        whole = [Piece(index, 0, dataset.rows) for index, dataset in enumerate(datasets)]
        tasks = [whole[start :: self.num_worker] for start in range(self.num_worker)]
        return [task for task in tasks if task]


@dataclass(frozen=True, kw_only=True)
class SubjectiveSizePartitioner(_Contest):
    """Puts pairs together into tasks of at most `max_task_size`, counted as `SizePartitioner` counts."""

    max_task_size: int = 40000
    gen_task_coef: int = 20
    strategy: Literal["heuristic", "split"] = "heuristic"
    dataset_size_path: str | None = None
    """Accepted for compatibility: sizes are never stale here."""

    def partition(self, datasets: Sequence[Sized]) -> list[list[Piece]]:
        tasks = SizePartitioner(self.max_task_size, self.gen_task_coef, self.strategy).partition(datasets)
        whole: set[int] = set()
        merged: list[list[Piece]] = []
        for task in tasks:
            new = [index for index in dict.fromkeys(piece.dataset for piece in task) if index not in whole]
            whole |= set(new)
            merged.append([Piece(index, 0, datasets[index].rows) for index in new])
        return [task for task in merged if task]
