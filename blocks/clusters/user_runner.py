"""Tasks that a runner of the user's own starts: a class with `launch(tasks)` that returns `(name, exit status)` pairs.

The class gets all tasks at once, as OpenCompass's runners do, and returns when they have ended.
"""

import logging
import os
import shlex
import subprocess
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from blocks.clusters.jobs import Job, JobPhase, JobReport, NobodyToAsk, last_lines

_log = logging.getLogger(__name__)
_ALL = 1_000_000


@dataclass(frozen=True)
class LaunchedTask:
    """One task, as an own runner sees it."""

    job: Job

    @property
    def name(self) -> str:
        """As OpenCompass prints it, e.g. `OpenICLInfer[gpt-x/demo_gsm8k]`."""
        return self.job.name

    @property
    def num_gpus(self) -> int:
        return self.job.num_gpus

    def get_log_path(self, file_extension: str = "out") -> str:
        """Where the task's output belongs."""
        return str(self.job.log.with_suffix(f".{file_extension}"))

    def get_command(self, *arguments: str) -> str:
        """The task's command for a shell, put into the template that is the last argument, at `{task_cmd}`."""
        command = f"cd {shlex.quote(str(self.job.folder))} && {shlex.join(self.job.command)}"
        template = arguments[-1] if arguments else "{task_cmd}"
        return template.replace("{task_cmd}", command)

    def run(self) -> int:
        """Runs the task on this machine; returns its exit status."""
        with self.job.log.open("ab") as log:
            environ = {**os.environ, **self.job.environment}
            done = subprocess.run(
                self.job.command, cwd=self.job.folder, env=environ, stdout=log, stderr=log, check=False
            )
        return done.returncode


class Launching(Protocol):
    """What an own runner has."""

    def launch(self, tasks: Sequence[LaunchedTask]) -> Iterable[tuple[str, int]]: ...


@dataclass
class LaunchCluster(NobodyToAsk):
    """Gives every submission to the runner's `launch`, on a thread of its own."""

    runner: Launching
    most_per_submission: int = _ALL
    most_waiting: int | None = None
    found_again: bool = False
    poll_seconds: float = 0.2
    _reports: dict[str, JobReport] = field(default_factory=dict[str, JobReport])

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        """See `Cluster`; how many run at once is the runner's affair."""
        del at_once
        ids = [f"{job.key}-{len(self._reports) + number}" for number, job in enumerate(jobs)]
        self._reports |= dict.fromkeys(ids, JobReport(JobPhase.RUNNING))
        for job in jobs:
            os.environ.update(job.environment)  # what the runner starts are children of this process
        threading.Thread(target=self._launch, args=(ids, list(jobs)), name="launch", daemon=True).start()
        return ids

    def allow(self, ids: Collection[str], at_once: int) -> None:
        """See `Cluster`."""

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        """See `Cluster`."""
        return {job_id: self._reports.get(job_id, JobReport(JobPhase.UNKNOWN)) for job_id in jobs}

    def cancel(self, ids: Collection[str]) -> None:
        """See `Cluster`; only a runner with a method `cancel` can end what it started."""
        end = getattr(self.runner, "cancel", None)
        if ids and callable(end):
            end()

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        """See `Cluster`."""
        return "\n".join(filter(None, (report.reason or f"{job.name} {report.phase}", last_lines(job.log))))

    def close(self) -> None:
        """See `Cluster`."""

    def _launch(self, ids: list[str], jobs: list[Job]) -> None:
        try:
            codes = dict(self.runner.launch([LaunchedTask(job) for job in jobs]))
        except Exception as error:  # noqa: BLE001  the user's class may raise anything
            _log.exception("%s.launch failed", type(self.runner).__name__)
            ended = JobReport(JobPhase.FAILED, f"{type(self.runner).__name__}.launch: {type(error).__name__}: {error}")
            self._reports |= dict.fromkeys(ids, ended)
            return
        for job_id, job in zip(ids, jobs, strict=True):
            code = codes.get(job.name, 0)
            failed = JobReport(JobPhase.FAILED, f"{job.name} failed with exit status {code}")
            self._reports[job_id] = failed if code else JobReport(JobPhase.DONE)


@dataclass(frozen=True)
class LaunchRunner:
    """An own runner in the place of a cluster's."""

    runner: Launching

    @property
    def retry(self) -> int:
        """Resubmissions of a failed task; none unless the runner has a `retry`."""
        return int(getattr(self.runner, "retry", 0))

    def cluster(self, run_folder: Path) -> LaunchCluster:
        """See `ClusterRunner`."""
        del run_folder
        return LaunchCluster(self.runner)
