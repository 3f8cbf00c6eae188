"""Jobs of a cloud: one at a time, each asked for by its own id, with their variables in a file on the shared disk."""

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from blocks.clusters.job_log import append
from blocks.clusters.job_shell import JobShell
from blocks.clusters.jobs import (
    Job,
    JobPhase,
    JobReport,
    NobodyToAsk,
    SchedulerSilent,
    SubmissionRefused,
    last_lines,
)
from blocks.clusters.variables_file import VariablesFile

_log = logging.getLogger(__name__)
_SUBMISSIONS = 5
_SECONDS_BETWEEN_SUBMISSIONS = 2.0
_MOST_UNREADABLE = 60
"""Answers in a row that nobody can read, after which a job is given up."""
_CALLS_AT_ONCE = 8
_SECONDS_TO_CANCEL = 3.0


class UnreadableAnswer(Exception):
    """The cloud answered, but not with what it was asked for."""


class CloudService(Protocol):
    """What a cloud's command line tool or SDK does for one job. Methods are called from several threads."""

    title: str
    """How people call it, e.g. `DLC`."""

    def submit(self, job: Job, shell: str) -> str:
        """Hands the job over, which executes `shell` by bash; its id. SubmissionRefused, SchedulerSilent."""
        ...

    def report(self, job_id: str, job: Job) -> JobReport:
        """Raises SchedulerSilent or UnreadableAnswer."""
        ...

    def output(self, job_id: str) -> str:
        """What the cloud itself has kept of the job's output: what came before its log was open. SchedulerSilent."""
        ...

    def cancel(self, job_id: str) -> None:
        """Ends the job; SchedulerSilent."""
        ...


class CloudCluster(NobodyToAsk):
    """A cloud on behalf of one run and stage."""

    most_per_submission = 1
    most_waiting: int | None = None
    found_again = True

    def __init__(self, service: CloudService, shell: JobShell, run_folder: Path, poll_seconds: float) -> None:
        self.poll_seconds = poll_seconds
        self._service = service
        self._shell = shell
        self._run_folder = run_folder
        self._variables: VariablesFile | None = None
        self._last: dict[str, JobReport] = {}
        self._unreadable: dict[str, int] = {}
        self._told: set[str] = set()
        """Failed jobs whose output was asked for."""
        self._calls = ThreadPoolExecutor(_CALLS_AT_ONCE, "cloud")

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        [job] = jobs
        file = self._file(job).write(job, {**job.environment, **self._shell.private})
        shell = self._shell.line(job, file)
        for attempt in range(1, _SUBMISSIONS + 1):
            try:
                return [self._service.submit(job, shell)]
            except SubmissionRefused as refused:
                if refused.temporary or attempt == _SUBMISSIONS:
                    raise
                _log.warning("%s: submission %d failed: %s", job.name, attempt, refused)
            except SchedulerSilent as silent:
                raise SubmissionRefused(str(silent), temporary=True) from silent
            time.sleep(_SECONDS_BETWEEN_SUBMISSIONS)
        raise AssertionError("the last attempt returns or raises")

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        for job in jobs.values():
            self._file(job)  # of a restarted run, whose jobs were submitted before
        answers = dict(zip(jobs, self._calls.map(self._report, jobs, jobs.values()), strict=True))
        if answers and all(isinstance(answer, SchedulerSilent) for answer in answers.values()):
            raise SchedulerSilent(str(next(iter(answers.values()))))
        return {job_id: self._known(job_id, answer) for job_id, answer in answers.items()}

    def allow(self, ids: Collection[str], at_once: int) -> None:
        """See `Cluster`: every job is a submission of its own."""

    def cancel(self, ids: Collection[str]) -> None:
        wait([self._calls.submit(_quietly, self._service.cancel, job_id) for job_id in ids], _SECONDS_TO_CANCEL)

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        said = f"{self._service.title} job {job_id} ended as {report.reason or report.phase}"
        if report.phase is JobPhase.DONE:
            said = f"{self._service.title} job {job_id} succeeded without doing its work"
        elif report.phase is JobPhase.UNKNOWN:
            said = f"{self._service.title} knows nothing of the job {job_id}: {report.reason}"
        end = last_lines(job.log)
        return f"{said}; the end of {job.log}:\n{end}" if end else f"{said}; it printed nothing"

    def close(self) -> None:
        if self._variables is not None:
            self._variables.remove()

    def _file(self, job: Job) -> VariablesFile:
        if self._variables is None:
            self._variables = VariablesFile(self._run_folder, job.stage)
        return self._variables

    def _report(self, job_id: str, job: Job) -> JobReport | SchedulerSilent | UnreadableAnswer:
        try:
            report = self._service.report(job_id, job)
        except (SchedulerSilent, UnreadableAnswer) as error:
            return error
        if report.phase is JobPhase.FAILED and job_id not in self._told:
            self._told.add(job_id)
            with suppress(SchedulerSilent, OSError):
                append(job.log, f"{self._service.title} {job_id}", self._service.output(job_id))
        return report

    def _known(self, job_id: str, answer: JobReport | SchedulerSilent | UnreadableAnswer) -> JobReport:
        """An answer that says nothing leaves the job as it was, for a while."""
        if isinstance(answer, JobReport):
            self._last[job_id] = answer
            self._unreadable.pop(job_id, None)
            return answer
        if isinstance(answer, UnreadableAnswer):
            self._unreadable[job_id] = self._unreadable.get(job_id, 0) + 1
            if self._unreadable[job_id] >= _MOST_UNREADABLE:
                return JobReport(JobPhase.UNKNOWN, f"{_MOST_UNREADABLE} unreadable answers, the last: {answer}")
        return self._last.get(job_id, JobReport(JobPhase.WAITING))


def _quietly(cancel: Callable[[str], None], job_id: str) -> None:
    try:
        cancel(job_id)
    except SchedulerSilent as error:
        _log.warning("%s may still run: %s", job_id, error)
