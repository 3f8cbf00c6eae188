"""Shards and scoring batches as jobs of a cluster: what each needs, and how its results are found."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

from blocks.clusters.jobs import Job
from flows.jobs.environment import job_variables, python_command
from tasks.infer.job_file import (
    JobProgress,
    ShardOutcome,
    outcome_file,
    progress_file,
    write_job_file,
    write_shard_file,
)
from tasks.infer.part_manifests import PartManifest, finished_manifest, forget_part, read_manifest
from tasks.infer.progress import Progress
from tasks.infer.session import INTERRUPTED
from tasks.infer.shard_run import ShardFailed
from tasks.score.batch import BatchFailed, PairOutcome, PairToScore, ScoreBatch
from tasks.score.batch_file import read_outcomes
from tasks.score.score_error import ScoreError
from tasks.score.score_key import score_key
from tasks.spec.shard import Shard, ShardPart
from tasks.spec.specs import DatasetSpec
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.run_folder import Pair, RunFolder

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
_KEY_LENGTH = 32
_batch: TypeAdapter[ScoreBatch] = TypeAdapter(ScoreBatch)


class Work(Protocol[Result_co]):
    """A piece of work that jobs try to do, until one has done it."""

    @property
    def key(self) -> str:
        """Names the work; a file name."""
        ...

    def begin(self) -> Job:
        """The job of a new attempt: its file is written, traces of an earlier attempt are gone."""
        ...

    def again(self) -> Job:
        """The job of an attempt that was begun before."""
        ...

    def follow(self) -> int | None:
        """Tells the run how far the running job is; returns what changes while the job lives, None if nothing does."""
        ...

    def result(self) -> Result_co | None:
        """What a job has left, None if it is not there (yet); raises what the job says it failed with."""
        ...

    def failed(self, reason: str) -> Exception:
        """The error for work that no job could do."""
        ...

    def clean(self) -> None:
        """Removes the files of finished work."""
        ...


@dataclass
class ShardJob:
    """A shard; its results are the manifests of its parts."""

    shard: Shard
    folder: RunFolder
    progress: Progress

    @property
    def key(self) -> str:
        """The same questions may be asked under several names."""
        names = [self.shard.model.abbr, *(part.dataset.abbr for part in self.shard.parts)]
        return digest([self.shard.key, names])[:_KEY_LENGTH]

    def finished(self) -> list[PartManifest] | None:
        """The manifests of a shard that needs no job."""
        found = [finished_manifest(self._ledger(part), part.key) for part in self.shard.parts]
        manifests = [manifest for manifest in found if manifest is not None]
        if len(manifests) < len(found):
            return None
        for part, manifest in zip(self.shard.parts, manifests, strict=True):
            counters = self.progress.begin(self._pair(part), part.key)
            counters.done = counters.reused = manifest.rows
        return manifests

    def begin(self) -> Job:
        """See `Work`."""
        for part in self.shard.parts:
            ledger = self._ledger(part)
            manifest = read_manifest(ledger, part.key)
            if manifest is not None and not manifest.is_intact(ledger):
                forget_part(ledger, manifest)
        return self._job(write_shard_file(self._file, self.shard))

    def again(self) -> Job:
        """See `Work`."""
        return self._job({})

    def follow(self) -> int | None:
        """See `Work`."""
        file = progress_file(self._file)
        try:
            told = JobProgress.model_validate_json(file.read_bytes())
            sign = file.stat().st_mtime_ns
        except (OSError, ValueError):
            return None
        for part in self.shard.parts:
            done, errors = told.parts.get(part.key, (0, 0))
            self._count(part, done, errors)
        return sign

    def result(self) -> list[PartManifest] | None:
        """See `Work`."""
        found = [read_manifest(self._ledger(part), part.key) for part in self.shard.parts]
        manifests = [manifest for manifest in found if manifest is not None]
        if len(manifests) == len(found):
            for part, manifest in zip(self.shard.parts, manifests, strict=True):
                self._count(part, manifest.rows, manifest.errors)
            return manifests
        outcome = self._outcome()
        if outcome is not None and outcome.reason:
            raise ShardFailed(outcome.reason, retryable=outcome.retryable)
        return None

    def failed(self, reason: str) -> Exception:
        """See `Work`; no task of Prefect's need try it again."""
        return ShardFailed(reason, retryable=False)

    def clean(self) -> None:
        """See `Work`."""
        _clean(self._file)

    @cached_property
    def _file(self) -> Path:
        return job_folder(self.folder) / "infer" / f"{self.key}.json"

    def _job(self, secrets: dict[str, str]) -> Job:
        shard = self.shard
        return Job(
            key=self.key,
            name=shard.name,
            stage="infer",
            command=python_command("tasks.infer", self._file),
            folder=Path.cwd(),
            log=_log(self.folder.log("infer", self._pair(shard.parts[0]))),
            num_gpus=shard.model.num_gpus,
            environment={**job_variables([shard.model], shard.search_path), **secrets},
        )

    def _outcome(self) -> ShardOutcome | None:
        try:
            return ShardOutcome.model_validate_json(outcome_file(self._file).read_bytes())
        except (OSError, ValidationError):
            return None

    def _count(self, part: ShardPart, done: int, errors: int) -> None:
        counters = self.progress.begin(self._pair(part), part.key)
        counters.done, counters.errors = done, errors

    def _pair(self, part: ShardPart) -> Pair:
        return Pair(self.shard.model.abbr, part.dataset.abbr)

    def _ledger(self, part: ShardPart) -> Path:
        return self.folder.ledger(self._pair(part))


@dataclass
class BatchJob:
    """A scoring batch; its results are what became of each pair."""

    batch: ScoreBatch
    folder: RunFolder
    cache: Path | None = None
    """Folder where the answers of judges are kept for all runs."""
    jobs: int = 1
    """How many such jobs run at once, and share the limits of judges."""
    key: str = field(init=False)
    """Of the predictions and of how they are scored: a job that scores anything else is another one."""

    def __post_init__(self) -> None:
        self.key = digest([[*item.pair, self._score_key(item)] for item in self.batch.pairs])[:_KEY_LENGTH]

    def begin(self) -> Job:
        """See `Work`."""
        batch = _batch.dump_python(self.batch, mode="json")
        values = {"run_folder": str(self.folder.root), "batch": batch, "jobs": self.jobs}
        values["cache"] = str(self.cache) if self.cache else None
        return self._job(write_job_file(self._file, values))

    def again(self) -> Job:
        """See `Work`."""
        return self._job({})

    def follow(self) -> int | None:
        """See `Work`; scoring does not tell how far it is."""
        return None

    def result(self) -> list[PairOutcome] | None:
        """See `Work`."""
        outcomes = read_outcomes(self._file)
        if outcomes is not None and any(outcome.reason for outcome in outcomes):
            raise BatchFailed(outcomes)
        return outcomes

    def failed(self, reason: str) -> Exception:
        """See `Work`."""
        ended = reason == INTERRUPTED
        said = reason if ended else f"scoring failed: {reason}"
        return BatchFailed([PairOutcome(item.pair, said, is_unfinished=ended) for item in self.batch.pairs])

    def clean(self) -> None:
        """See `Work`."""
        _clean(self._file)

    def _score_key(self, item: PairToScore) -> str:
        try:
            return score_key(item.model, item.dataset, self.folder)
        except ScoreError as error:
            return f"{item.pair}: {error}"

    @property
    def _file(self) -> Path:
        return job_folder(self.folder) / "eval" / f"{self.key}.json"

    def _job(self, secrets: dict[str, str]) -> Job:
        models = [item.model for item in self.batch.pairs]
        return Job(
            key=self.key,
            name=self.batch.name,
            stage="eval",
            command=python_command("tasks.score", self._file),
            folder=Path.cwd(),
            log=_log(self.folder.log("eval", self.batch.pairs[0].pair)),
            num_gpus=max(_scoring_gpus(_asking(item.dataset)) for item in self.batch.pairs),
            environment={**job_variables(models, self.batch.search_path), **secrets},
        )


def job_folder(folder: RunFolder) -> Path:
    """Where a run keeps what its jobs are about."""
    return folder.root.absolute() / ".jobs"


def _asking(dataset: DatasetSpec) -> list[Any]:
    """What says how the dataset is scored, and who judges."""
    spec = dataset.subjective
    return [dataset.eval_cfg, *((*spec.judges, spec.meta_judge) if spec else ())]


def _scoring_gpus(eval_cfg: Any) -> int:
    """The most GPUs that the evaluation, or the model of a judge in it, asks for."""
    if isinstance(eval_cfg, dict):
        own = [value for key, value in eval_cfg.items() if key == "num_gpus" and isinstance(value, int)]
        return max([*own, *map(_scoring_gpus, eval_cfg.values())], default=0)
    return max(map(_scoring_gpus, eval_cfg), default=0) if isinstance(eval_cfg, list | tuple) else 0


def _log(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.absolute()


def _clean(file: Path) -> None:
    for path in (file, outcome_file(file), progress_file(file)):
        path.unlink(missing_ok=True)
