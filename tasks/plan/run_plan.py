"""The plan of a run: everything that will be done, decided before anything is spent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tasks.data.interface import LoadedDataset
from tasks.data.loading import DatasetCache
from tasks.plan.request import RunRequest
from tasks.spec.findings import Finding
from tasks.spec.shard import FailureBudget, InFlight
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair
from tasks.spec.values import ConfigDict


@dataclass(frozen=True)
class PairPlan:
    """One model on one dataset."""

    model: ModelSpec
    dataset: DatasetSpec
    data: LoadedDataset | None
    """None where the data could not be loaded; a dry run then shows unknown sizes."""
    samples: int | None
    """Planned rows times repeats."""

    @property
    def pair(self) -> Pair:
        return Pair(self.model.abbr, self.dataset.abbr)


@dataclass(frozen=True)
class PlannedPart:
    """A range of one pair's planned rows."""

    pair: Pair
    start: int
    stop: int
    number: int | None


@dataclass(frozen=True)
class PlannedShard:
    """A shard before it has a run folder."""

    model: ModelSpec
    parts: tuple[PlannedPart, ...]
    in_flight: InFlight

    def name(self, prefix: str) -> str:
        """Task name as OpenCompass prints it."""
        names = (f"{p.pair.model}/{p.pair.dataset}" + ("" if p.number is None else f"_{p.number}") for p in self.parts)
        return f"{prefix}[{','.join(names)}]"


@dataclass(frozen=True)
class StagePlan:
    """How a stage runs."""

    task: str
    """Name of the task type, e.g. `OpenICLInferTask`."""
    max_num_workers: int
    """Tasks that run at once."""
    options: Mapping[str, Any]
    """Arguments of the task type."""
    runner: str
    """Dotted path of the runner class."""
    in_process: bool
    """Whether API models are asked by the run's own process, whatever the task; else each task is a job of its own."""
    needs: Sequence[Finding] = ()
    """What the runner misses on this machine."""
    built_runner: Any = None
    """The runner itself."""

    @property
    def uses_jobs(self) -> bool:
        """Whether the stage's work is done by jobs of a cluster, or of a runner of the user's own."""
        return any(callable(getattr(self.built_runner, name, None)) for name in ("cluster", "launch"))


@dataclass(frozen=True)
class RunPlan:
    """What `make_plan` decides. Planning changes nothing on disk."""

    request: RunRequest
    source: Path | None
    """The configuration file."""
    values: ConfigDict
    """The effective configuration."""
    work_dir: Path
    search_path: tuple[str, ...]
    data: DatasetCache
    models: tuple[ModelSpec, ...]
    datasets: tuple[DatasetSpec, ...]
    pairs: tuple[PairPlan, ...]
    infer: StagePlan
    infer_shards: tuple[PlannedShard, ...]
    eval: StagePlan
    eval_batches: tuple[tuple[Pair, ...], ...]
    """The pairs of each scoring task."""
    summarizer: dict[str, Any] | None
    budget: FailureBudget
    findings: tuple[Finding, ...]
    station: Any = None
    """Where results are kept for all runs, ready to be used; None if nowhere."""
    taken: frozenset[Pair] = frozenset()
    """Pairs whose results come from the station: they are neither asked nor scored."""
    unsafe_code_execution: bool = False
    """Programs that models wrote run without a sandbox where there is none."""

    @property
    def watches(self) -> bool:
        """Whether a pair is scored as soon as its inference is complete."""
        return self.eval.task == "OpenICLEvalWatchTask"

    @cached_property
    def by_pair(self) -> dict[Pair, PairPlan]:
        """The pairs by their names."""
        return {plan.pair: plan for plan in self.pairs}

    def runs(self, stage: str) -> bool:
        """Whether the mode includes the stage `infer`, `eval` or `viz`."""
        return self.request.mode in ("all", stage) or (stage == "viz" and self.request.mode == "eval")
