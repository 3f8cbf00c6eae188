"""The clusters as blocks that Prefect saves under a name: thin shells over the runners."""

import asyncio
import shlex
import time
from abc import ABC
from dataclasses import fields
from pathlib import Path
from types import new_class
from typing import Any, ClassVar

from prefect.blocks.abstract import JobBlock, JobRun
from prefect.blocks.core import Block
from prefect.types import SecretDict
from pydantic import Field

from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, SchedulerSilent, last_lines
from blocks.clusters.polling import Polling
from blocks.clusters.runners import block_name, scheduler_classes
from blocks.clusters.settings import Scheduler, block_fields
from blocks.saved_block import load_block
from tasks.spec.findings import Finding, UserError
from tasks.supervisor import Supervised, start

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
        polling = Polling(self._cluster.poll_seconds)
        while True:
            try:
                report = (await asyncio.to_thread(self._cluster.reports, {self.job_id: self._job}))[self.job_id]
            except SchedulerSilent as silent:
                self.logger.warning("the scheduler does not answer: %s", silent)
            else:
                if report.phase not in (JobPhase.WAITING, JobPhase.RUNNING):
                    return report
            await asyncio.sleep(polling.pause())


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


class _LocalBlock(_RunnerBlock):
    async def trigger(self) -> JobRun[str]:
        """Starts the command; it ends with this process."""
        log = self.folder.absolute() / "job.out"
        return LocalJobRun(await asyncio.to_thread(start, self.command, cwd=self.folder.absolute(), log=log), log)


def _block_of(runner: type[Any]) -> type[_RunnerBlock]:
    scheduler: Scheduler = runner.scheduler
    made = block_fields(runner, SecretDict)
    body: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": f"{scheduler.about}, as {runner.__name__}.",
        "__annotations__": {name: kind for name, (kind, _) in made.items()},
        "_block_type_name": f"Compass {scheduler.name}",
        "_block_type_slug": f"compass-{scheduler.name.lower()}",
        "_runner_type": runner,
        **{name: value for name, (_, value) in made.items()},
    }
    base = _LocalBlock if getattr(runner, "in_process", False) else _RunnerBlock
    return new_class(block_name(runner.__name__), (base,), exec_body=lambda namespace: namespace.update(body))


BLOCKS = {block_name(runner.__name__): _block_of(runner) for runner in scheduler_classes()}
"""The block of each runner that has a scheduler, by its name."""


def __getattr__(name: str) -> Any:
    if name in BLOCKS:
        return BLOCKS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_runner(name: str) -> Any:
    """The runner of a saved block: `TYPE/NAME`, or NAME of any of these types; UserError if there is none."""
    references = [name] if "/" in name else [f"{kind.get_block_type_slug()}/{name}" for kind in BLOCKS.values()]
    found = [block for reference in references if (block := load_block(Block, reference)) is not None]
    if len(found) > 1:
        types = ", ".join(f"{block.get_block_type_slug()}/{name}" for block in found)
        raise UserError(Finding(f"several blocks have the name {name!r}: {types}", remedy="give one of these"))
    if found and isinstance(found[0], _RunnerBlock):
        return found[0].runner()
    if found:
        raise UserError(f"the block {name} is no runner")
    remedy = "`prefect block ls` shows the saved ones; docs/clouds.md tells how to save one"
    raise UserError(Finding(f"the Prefect server has no block {' or '.join(references)}", remedy=remedy))


def _clear(value: Any) -> Any:
    return value.get_secret_value() if isinstance(value, SecretDict) else value
