"""The clusters as blocks that Prefect saves under a name: thin shells over the runners."""

import asyncio
import shlex
import time
from abc import ABC
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar, cast

from prefect.blocks.abstract import JobBlock, JobRun
from prefect.blocks.core import Block
from prefect.types import SecretDict
from pydantic import Field

from blocks.clusters.dask.runner import DaskRunner
from blocks.clusters.dlc.runner import DLCRunner
from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, SchedulerSilent, last_lines
from blocks.clusters.local import LocalRunner
from blocks.clusters.rjob.runner import RJOBRunner
from blocks.clusters.slurm.runner import SlurmRunner
from blocks.clusters.volc.runner import VOLCRunner
from tasks.spec.findings import Finding, UserError
from tasks.supervisor import Supervised, start

__all__ = ["DLCBlock", "DaskBlock", "LocalBlock", "RJOBBlock", "SlurmBlock", "VOLCBlock", "load_runner"]

_LONGEST_NAME = 80


class JobFailed(Exception):
    """A job did not do its work; the text says why, and ends with the end of its log."""


class ClusterJobRun(JobRun[str]):
    """A job that was submitted to a cluster; its result is what it printed."""

    def __init__(self, cluster: Cluster, job: Job, job_id: str) -> None:
        self.job_id = job_id
        self._cluster = cluster
        self._job = job

    async def wait_for_completion(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Returns when the job has done its work; JobFailed if it ended otherwise."""
        try:
            report = await self._end()
            if report.phase is not JobPhase.DONE:
                raise JobFailed(await asyncio.to_thread(self._cluster.explain, self.job_id, self._job, report))
        finally:
            await asyncio.to_thread(self._cluster.close)

    async def fetch_result(self) -> str:
        """The job's output so far."""
        return self._job.log.read_text(errors="replace") if self._job.log.is_file() else ""

    async def cancel(self) -> None:
        """Ends the job with its children."""
        await asyncio.to_thread(self._cluster.cancel, [self.job_id])

    async def _end(self) -> JobReport:
        while True:
            try:
                report = (await asyncio.to_thread(self._cluster.reports, {self.job_id: self._job}))[self.job_id]
            except SchedulerSilent as silent:
                self.logger.warning("the scheduler does not answer: %s", silent)
            else:
                if report.phase not in (JobPhase.WAITING, JobPhase.RUNNING):
                    return report
            await asyncio.sleep(self._cluster.poll_seconds)


class LocalJobRun(JobRun[str]):
    """A command on this machine; its result is what it printed."""

    def __init__(self, process: Supervised, log: Path) -> None:
        self._process = process
        self._log = log

    async def wait_for_completion(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Returns when the command has succeeded; JobFailed if it ended otherwise."""
        if status := await asyncio.to_thread(self._process.wait):
            raise JobFailed(f"exit status {status}; the end of {self._log}:\n{last_lines(self._log)}")

    async def fetch_result(self) -> str:
        """The command's output so far."""
        return self._log.read_text(errors="replace")

    async def cancel(self) -> None:
        """Ends the command with its children."""
        await asyncio.to_thread(self._process.stop)


class _RunnerBlock(JobBlock[str], ABC):
    """A saved runner, for `--runner NAME` and for flows that submit a command themselves."""

    _runner_type: ClassVar[type[Any]]

    command: list[str] = Field(default=[], description="What `trigger` runs. A run of Compass does not use it.")
    num_gpus: int = Field(default=0, ge=0, description="GPUs of that command.")
    folder: Path = Field(default=Path(), description="Where that command runs, with its output in `job.out`.")

    def runner(self) -> Any:
        """What a run uses instead of the runners of its configuration: an object of the runner's class."""
        names = {item.name for item in fields(self._runner_type)} & set(type(self).model_fields)
        return self._runner_type(**{name: _clear(getattr(self, name)) for name in names})

    async def trigger(self) -> JobRun[str]:
        """Submits the command."""
        folder = self.folder.absolute()
        job = Job(
            key=f"block{time.time_ns():x}",
            name=shlex.join(self.command)[:_LONGEST_NAME],
            stage="flow",
            command=tuple(self.command),
            folder=folder,
            log=folder / "job.out",
            num_gpus=self.num_gpus,
        )
        cluster: Cluster = self.runner().cluster(folder)
        [job_id] = await asyncio.to_thread(cluster.submit, [job], 1)
        return ClusterJobRun(cluster, job, job_id)


class LocalBlock(_RunnerBlock):
    """This machine, as LocalRunner."""

    _block_type_name = "Compass Local"
    _block_type_slug = "compass-local"
    _runner_type = LocalRunner

    max_num_workers: int = Field(default=16, ge=1, description="Tasks that run at once.")
    max_workers_per_gpu: int = Field(default=1, ge=1, description="Tasks that share one GPU.")

    async def trigger(self) -> JobRun[str]:
        """Starts the command; it ends with this process."""
        log = self.folder.absolute() / "job.out"
        return LocalJobRun(await asyncio.to_thread(start, self.command, cwd=self.folder.absolute(), log=log), log)


class SlurmBlock(_RunnerBlock):
    """A Slurm cluster, as SlurmRunner."""

    _block_type_name = "Compass Slurm"
    _block_type_slug = "compass-slurm"
    _runner_type = SlurmRunner

    partition: str | None = Field(default=None, description="Slurm partition.")
    quotatype: str | None = Field(default=None, description="Quota class, where the scheduler knows them.")
    qos: str | None = Field(default=None, description="Quality of service.")
    extra_command: list[str] = Field(default=[], description="Further options of sbatch, e.g. --time=4:00:00.")
    poll_interval: float = Field(default=5.0, gt=0, description="Seconds between two looks at the queue.")
    max_num_workers: int = Field(default=32, ge=1, description="Jobs that run at once.")
    retry: int = Field(default=2, ge=0, description="Resubmissions of a failed job.")


class DLCBlock(_RunnerBlock):
    """Aliyun PAI-DLC, as DLCRunner."""

    _block_type_name = "Compass DLC"
    _block_type_slug = "compass-dlc"
    _runner_type = DLCRunner

    aliyun_cfg: SecretDict = Field(description="workspace_id, worker_image, … as in DLCRunner.")
    preemptible: bool = Field(default=False, description="Jobs may have to give way.")
    max_num_workers: int = Field(default=32, ge=1, description="Jobs that run at once.")
    retry: int = Field(default=2, ge=0, description="Resubmissions of a failed job.")


class VOLCBlock(_RunnerBlock):
    """Volcano Engine's machine-learning platform, as VOLCRunner."""

    _block_type_name = "Compass VOLC"
    _block_type_slug = "compass-volc"
    _runner_type = VOLCRunner

    volcano_cfg: SecretDict = Field(description="volcano_config_path, … as in VOLCRunner.")
    queue_name: str = Field(description="Resource queue.")
    preemptible: bool = Field(default=False, description="Jobs may have to give way.")
    priority: int | None = Field(default=None, description="Priority of the jobs.")
    max_num_workers: int = Field(default=32, ge=1, description="Jobs that run at once.")
    retry: int = Field(default=2, ge=0, description="Resubmissions of a failed job.")


class RJOBBlock(_RunnerBlock):
    """The `rjob` scheduler, as RJOBRunner."""

    _block_type_name = "Compass RJOB"
    _block_type_slug = "compass-rjob"
    _runner_type = RJOBRunner

    rjob_cfg: SecretDict = Field(description="task_id, image, mount, … as in RJOBRunner.")
    max_num_workers: int = Field(default=32, ge=1, description="Jobs that run at once.")
    retry: int = Field(default=100, ge=0, description="Resubmissions of a failed job.")


class DaskBlock(_RunnerBlock):
    """A cluster of Dask, as DaskRunner."""

    _block_type_name = "Compass Dask"
    _block_type_slug = "compass-dask"
    _runner_type = DaskRunner

    address: str | None = Field(default=None, description="Of a scheduler that is up, e.g. tcp://head:8786.")
    cluster_class: str | None = Field(
        default=None, description="What starts a cluster instead, e.g. dask_jobqueue.SLURMCluster."
    )
    cluster_kwargs: SecretDict = Field(default=SecretDict({}), description="Arguments of that class.")
    adapt_kwargs: dict[str, Any] = Field(default={}, description="Arguments of the cluster's `adapt`.")
    poll_interval: float = Field(default=1.0, gt=0, description="Seconds between two looks at the jobs.")
    max_num_workers: int = Field(default=32, ge=1, description="Jobs that run at once.")
    retry: int = Field(default=2, ge=0, description="Resubmissions of a failed job.")


def load_runner(name: str) -> Any:
    """The runner of a saved block: `TYPE/NAME`, or NAME of any of these types; UserError if there is none."""
    kinds: tuple[type[_RunnerBlock], ...] = (SlurmBlock, DLCBlock, VOLCBlock, RJOBBlock, DaskBlock, LocalBlock)
    references = [name] if "/" in name else [f"{kind.get_block_type_slug()}/{name}" for kind in kinds]
    found = [block for reference in references if (block := _load(reference)) is not None]
    if len(found) > 1:
        types = ", ".join(f"{block.get_block_type_slug()}/{name}" for block in found)
        raise UserError(Finding(f"several blocks have the name {name!r}: {types}", remedy="give one of these"))
    if found and isinstance(found[0], _RunnerBlock):
        return found[0].runner()
    if found:
        raise UserError(f"the block {name} is no runner")
    remedy = "`prefect block ls` shows the saved ones; docs/clouds.md tells how to save one"
    raise UserError(Finding(f"the Prefect server has no block {' or '.join(references)}", remedy=remedy))


def _load(reference: str) -> Block | None:
    try:
        return cast(Block, Block.load(reference))
    except ValueError:  # not found
        return None
    except Exception as error:
        raise UserError(f"the block {reference} cannot be loaded: {type(error).__name__}") from error


def _clear(value: Any) -> Any:
    return value.get_secret_value() if isinstance(value, SecretDict) else value
