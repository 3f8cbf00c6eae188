"""Jobs of sbatch: arrays whose elements run so many at once, states of all of them in one call."""

import logging
import re
import shlex
import subprocess
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress

from blocks.clusters.command_calls import Answer, ask
from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused, last_lines
from blocks.clusters.slurm.options import job_environment, job_name, knows_no_quotatype, resource_options
from blocks.clusters.slurm.settings import SlurmSettings
from blocks.clusters.slurm.states import NO_LOG, meaning, report_of

_log = logging.getLogger(__name__)
_SECONDS_TO_CANCEL = 3.0
_USUAL_ARRAY_SIZE = 1001
_LATER = ("QOSMaxSubmitJob", "AssocMaxSubmitJob", "violates accounting/QOS policy", "timed out", "Unable to contact",
          "temporarily", "Connection refused")  # fmt: skip
"""Words of refusals that end by themselves."""
_STUCK = ("JobHeld", "launch failed", "BadConstraints", "PartitionTimeLimit", "PartitionNodeLimit", "DependencyNever",
          "InvalidAccount", "InvalidQOS", "PartitionInactive", "PartitionDown")  # fmt: skip
"""Reasons for which a job waits until somebody does something."""


class SlurmCluster:
    """Slurm on behalf of one run and stage."""

    found_again = True

    def __init__(self, runner: SlurmSettings, run_name: str, *, sequential: bool = False) -> None:
        self._runner = runner
        self._run_name = run_name
        self._sequential = sequential
        self._array_size: int | None = None
        self.most_waiting = 1 if sequential else None
        self.poll_seconds = runner.poll_interval
        self._quotatype = True
        self._accounting = True
        self._said: set[str] = set()

    @property
    def most_per_submission(self) -> int:
        """Elements that an array may have here."""
        if self._array_size is None:
            self._array_size = 1 if self._sequential else _largest_array()
        return self._array_size

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        """See `Cluster`."""
        one = len(jobs) == 1
        name = jobs[0].name if one else f"compass-{jobs[0].stage}-{self._run_name}"
        array = [] if one else [f"--array=0-{len(jobs) - 1}%{at_once}"]
        common = ["-J", job_name(self._runner, name), "-N1", "-o", "/dev/null", "--requeue", "--export=ALL", *array]
        common += [f"--comment={jobs[0].submission}"] if jobs[0].submission else []
        variables = {name: value for job in jobs for name, value in job.environment.items()}
        answer = self._sbatch(jobs[0].num_gpus, common, batch_script(jobs), job_environment(variables))
        number = answer.output.strip().split(";")[0]
        if answer.status or not number.isdecimal():
            raise SubmissionRefused(answer.words, temporary=any(word in answer.words for word in _LATER))
        return _ids(number, len(jobs))

    def accepted(self, submissions: Mapping[str, int]) -> dict[str, list[str]]:
        """See `Cluster`: the comments of jobs name their submissions."""
        answer = ask(["squeue", "-h", "--me", "-t", "all", "-o", "%F|%k"])
        if answer.status:
            raise SchedulerSilent(f"squeue: {answer.words}")
        jobs = (line.partition("|") for line in answer.output.splitlines())
        return {name: _ids(number, submissions[name]) for number, _, name in jobs if name in submissions}

    def allow(self, ids: Collection[str], at_once: int) -> None:
        """See `Cluster`."""
        for array in {_array(job_id) for job_id in ids}:
            with suppress(SchedulerSilent):
                ask(["scontrol", "update", f"JobId={array}", f"ArrayTaskThrottle={at_once}"])

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        """See `Cluster`: one call of squeue, and one of sacct where squeue has forgotten a job."""
        arrays = ",".join(sorted({_array(job_id) for job_id in jobs}, key=int))
        answer = ask(["squeue", "-h", "-r", "-t", "all", "-j", arrays, "-o", "%i|%T|%r"])
        if answer.status and "Invalid job id" not in answer.words:
            raise SchedulerSilent(f"squeue: {answer.words}")
        found = _reports(answer.output)
        if self._accounting and any(job_id not in found for job_id in jobs):
            found = {**self._accounted(arrays), **found}
        reports = {job_id: found.get(job_id, JobReport(JobPhase.UNKNOWN)) for job_id in jobs}
        self._warn_of_stuck(reports)
        return reports

    def cancel(self, ids: Collection[str]) -> None:
        """See `Cluster`; what takes longer goes on by itself."""
        if not ids:
            return
        command = ["scancel", *_ranges(ids)]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
            with suppress(subprocess.TimeoutExpired):
                process.wait(_SECONDS_TO_CANCEL)
        except OSError as error:
            _log.error("jobs may still run: %s: %s", " ".join(command), error)

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        """See `Cluster`."""
        if report.phase is JobPhase.UNKNOWN:
            words = "Slurm knows it no more; it was lost, or ended long ago without results"
        else:
            words = meaning(report.reason, self._details(job_id))
        end = last_lines(job.log)
        return f"Slurm job {job_id}: {words}" + (f"; the end of {job.log}:\n{end}" if end else "; it printed nothing")

    def close(self) -> None:
        """See `Cluster`: nothing was made for the jobs."""

    def _sbatch(self, num_gpus: int, common: list[str], script: str, environment: dict[str, str]) -> Answer:
        options = resource_options(self._runner, num_gpus, quotatype=self._quotatype)
        try:
            answer = ask(["sbatch", "--parsable", *common, *options], text=script, env=environment)
        except SchedulerSilent as silent:
            raise SubmissionRefused(str(silent), temporary=True) from silent
        if answer.status and self._quotatype and self._runner.quotatype and knows_no_quotatype(answer.words):
            _log.warning("quotatype=%r is left out: this Slurm has no quota types", self._runner.quotatype)
            self._quotatype = False
            return self._sbatch(num_gpus, common, script, environment)
        return answer

    def _accounted(self, arrays: str) -> dict[str, JobReport]:
        """What the accounting remembers, where there is one."""
        try:
            answer = ask(["sacct", "-n", "-P", "-X", "-j", arrays, "-o", "JobID,State,ExitCode"])
        except SchedulerSilent:
            answer = Answer(1, "", "")
        self._accounting = answer.status == 0
        return _reports(answer.output) if self._accounting else {}

    def _details(self, job_id: str) -> str:
        with suppress(SchedulerSilent):
            return ask(["scontrol", "show", "job", job_id]).output
        return ""

    def _warn_of_stuck(self, reports: Mapping[str, JobReport]) -> None:
        for job_id, report in reports.items():
            stuck = report.phase is JobPhase.WAITING and any(word in report.reason for word in _STUCK)
            if stuck and report.reason not in self._said:
                self._said.add(report.reason)
                _log.warning("Slurm job %s waits, and will until somebody helps it: %s", job_id, report.reason)


def find_job(name: str) -> str | None:
    """The id of this user's job of that name which waits or runs; SchedulerSilent."""
    answer = ask(["squeue", "-h", "--me", "-t", "PENDING,CONFIGURING,RUNNING", "-n", name, "-o", "%i"])
    if answer.status:
        raise SchedulerSilent(f"squeue: {answer.words}")
    return next(iter(answer.output.split()), None)


def _largest_array() -> int:
    with suppress(SchedulerSilent):
        found = re.search(r"MaxArraySize\s*=\s*(\d+)", ask(["scontrol", "show", "config"]).output)
        return int(found[1]) - 1 if found else _USUAL_ARRAY_SIZE - 1
    return _USUAL_ARRAY_SIZE - 1


def batch_script(jobs: Sequence[Job]) -> str:
    """The script whose elements run the jobs: each its command, in its folder, with its output in its log."""
    cases = "\n".join(
        f"{index}) log={shlex.quote(str(job.log))}; set -- {shlex.join(job.command)};;"
        for index, job in enumerate(jobs)
    )
    folder = shlex.quote(str(jobs[0].folder))
    return f"""#!/bin/bash
case ${{SLURM_ARRAY_TASK_ID:-0}} in
{cases}
esac
{{ : >>"$log"; }} 2>/dev/null || exit {NO_LOG}
exec >>"$log" 2>&1
cd {folder} || exit
exec "$@"
"""


def _reports(lines: str) -> dict[str, JobReport]:
    fields = (line.split("|") for line in lines.splitlines() if line.count("|") >= 2)
    return {job_id: report_of(state, reason) for job_id, state, reason, *_ in fields}


def _ids(number: str, jobs: int) -> list[str]:
    """Of the jobs of one submission: several are an array."""
    return [number] if jobs == 1 else [f"{number}_{index}" for index in range(jobs)]


def _array(job_id: str) -> str:
    return job_id.partition("_")[0]


def _ranges(ids: Iterable[str]) -> list[str]:
    """Ids as scancel takes them, one word per array: `12_[0-3,7]`, `15`."""
    elements: dict[str, list[int]] = {}
    for job_id in ids:
        array, _, index = job_id.partition("_")
        elements.setdefault(array, []).extend([int(index)] if index else [])
    return [f"{array}_[{_joined(sorted(indices))}]" if indices else array for array, indices in elements.items()]


def _joined(indices: Sequence[int]) -> str:
    """Sorted numbers with ranges where they follow one another: `0-3,7`."""
    runs: list[tuple[int, int]] = []
    for index in indices:
        if runs and runs[-1][1] == index - 1:
            runs[-1] = (runs[-1][0], index)
        else:
            runs.append((index, index))
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
