"""Jobs of srun, for clusters that allow nothing else: each is a child of the run, and ends with it."""

import itertools
import logging
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from blocks.clusters.jobs import Job, JobPhase, JobReport, NobodyToAsk, SubmissionRefused, last_lines
from blocks.clusters.slurm.options import job_environment, job_name, knows_no_quotatype, resource_options
from blocks.clusters.slurm.settings import SlurmSettings
from blocks.clusters.slurm.states import meaning
from tasks.supervisor import Supervised, start

_log = logging.getLogger(__name__)
_SECONDS_TO_CANCEL = 2.5
_QUEUED, _ALLOCATED = "queued and waiting for resources", "has been allocated resources"
_WORDS = {
    "DUE TO TIME LIMIT": "TIMEOUT",
    "Out Of Memory": "OUT_OF_MEMORY",
    "oom-kill": "OUT_OF_MEMORY",
    "DUE TO PREEMPTION": "PREEMPTED",
    "Node failure": "NODE_FAIL",
    "DUE TO NODE FAILURE": "NODE_FAIL",
}
"""What srun says of a job's end, and the state it stands for."""


class SrunCluster(NobodyToAsk):
    """Slurm on behalf of one run and stage, through srun alone."""

    most_per_submission = 1
    found_again = False

    def __init__(self, runner: SlurmSettings, _run_name: str, *, sequential: bool = False) -> None:
        self.most_waiting = 1 if sequential else None
        self._runner = runner
        self.poll_seconds = min(runner.poll_interval, 1.0)  # asks no scheduler, only its children
        self._numbers = itertools.count(1)
        self._children: dict[str, tuple[Supervised, int]] = {}
        """By id, with the length that the log had at the start."""
        self._quotatype = True

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        """See `Cluster`."""
        [job] = jobs
        size = job.log.stat().st_size if job.log.is_file() else 0
        options = resource_options(self._runner, job.num_gpus, quotatype=self._quotatype)
        command = ["srun", *options, "-N1", "-u", "-J", job_name(self._runner, job.name), *job.command]
        try:
            child = start(command, env=job_environment(job.environment), cwd=job.folder, log=job.log)
        except OSError as error:
            raise SubmissionRefused(f"srun cannot be started: {error}") from error
        job_id = f"srun-{child.pid}-{next(self._numbers)}"
        self._children[job_id] = child, size
        return [job_id]

    def allow(self, ids: Collection[str], at_once: int) -> None:
        """See `Cluster`: every job is a submission of its own."""

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        """See `Cluster`."""
        return {job_id: self._report(job_id, job) for job_id, job in jobs.items()}

    def cancel(self, ids: Collection[str]) -> None:
        """See `Cluster`: srun hands the signal on to its job."""
        children = [self._children[job_id][0] for job_id in ids if job_id in self._children]
        with ThreadPoolExecutor(max(1, len(children)), "cancel") as pool:
            for child in children:
                pool.submit(child.stop, _SECONDS_TO_CANCEL)

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        """See `Cluster`."""
        if report.phase is JobPhase.UNKNOWN:
            return "srun, and the job with it, ended with the process that had started it"
        exited = f"ExitCode={report.reason}:0" if report.reason.isdecimal() else ""
        state = "COMPLETED" if report.phase is JobPhase.DONE else self._state(job_id, job)
        end = last_lines(job.log)
        words = f"Slurm job of srun: {meaning(state, exited)}"
        return f"{words}; the end of {job.log}:\n{end}" if end else f"{words}; it printed nothing"

    def close(self) -> None:
        """See `Cluster`: nothing was made for the jobs."""

    def _report(self, job_id: str, job: Job) -> JobReport:
        if job_id not in self._children:
            return JobReport(JobPhase.UNKNOWN)
        status = self._children[job_id][0].poll()
        if status is None:
            said = self._said(job_id, job)
            waits = _QUEUED in said and _ALLOCATED not in said
            return JobReport(JobPhase.WAITING if waits else JobPhase.RUNNING)
        if self._quotatype and self._runner.quotatype and knows_no_quotatype(self._said(job_id, job)):
            _log.warning("quotatype=%r is left out: this Slurm has no quota types", self._runner.quotatype)
            self._quotatype = False
            [again] = self.submit([job], 1)
            self._children[job_id] = self._children.pop(again)
            return JobReport(JobPhase.WAITING)
        return JobReport(JobPhase.FAILED, str(status)) if status else JobReport(JobPhase.DONE)

    def _state(self, job_id: str, job: Job) -> str:
        said = self._said(job_id, job)
        return next((state for words, state in _WORDS.items() if words in said), "FAILED")

    def _said(self, job_id: str, job: Job) -> str:
        """What the job and its srun have printed, as far as it may matter."""
        if not job.log.is_file():
            return ""
        with job.log.open("rb") as file:
            file.seek(self._children[job_id][1])
            begin = file.read(65_536)
            file.seek(max(file.tell(), job.log.stat().st_size - 65_536))
            return (begin + file.read()).decode("utf-8", "replace")
