"""Volcano Engine's machine-learning platform through its command line tool `volc`."""

import re
import shlex
from pathlib import Path
from typing import Any, cast

from blocks.clusters.cloud import UnreadableAnswer
from blocks.clusters.command_calls import Answer, ask
from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from blocks.clusters.volc.file import job_file
from blocks.clusters.volc.states import volc_report
from tasks.spec.storage.json_text import parse_json

_LONGEST_NAME = 128


def task_name(name: str) -> str:
    """A name that the platform takes: at most 128 characters, without brackets, slashes, commas and dots."""
    return re.sub(r"[\[\]()/,.\\]", "_", name)[:_LONGEST_NAME]


def submit_command(
    file: Path, name: str, shell: str, *, queue: str, preemptible: bool = False, priority: int | None = None
) -> list[str]:
    """The command that submits one job, which `file` describes."""
    command = ["volc", "ml_task", "submit", "--conf", str(file), "--entrypoint", shlex.join(("bash", "-c", shell))]
    command += ["--task_name", task_name(name), "--resource_queue_name", queue]
    command += ["--preemptible"] if preemptible else []
    return command if priority is None else [*command, "--priority", str(priority)]


def task_id_in(output: str) -> str | None:
    """The id that a submission prints after `task_id=`."""
    match = re.search(r"task_id=([\w-]+)", output)
    return match[1] if match else None


def status_in(output: str) -> str | None:
    """The status in the JSON that `get` prints, perhaps after other words."""
    begin = re.search(r"[\[{]", output)
    try:
        found: Any = parse_json(output[begin.start() :]) if begin else None
    except ValueError:
        return None
    if isinstance(found, list):
        found = cast(list[Any], found)[0] if found else None
    status = cast(dict[str, Any], found).get("Status") if isinstance(found, dict) else None
    return str(status) if status else None


class VolcCommand:
    """Jobs of one queue."""

    title = "VOLC"

    def __init__(self, file: Path, *, queue: str, preemptible: bool, priority: int | None) -> None:
        """`file` describes the jobs but for their machines."""
        self._file = file
        self._queue = queue
        self._preemptible = preemptible
        self._priority = priority

    def submit(self, job: Job, shell: str) -> str:
        with job_file(self._file, job.num_gpus) as file:
            command = submit_command(
                file, job.name, shell, queue=self._queue, preemptible=self._preemptible, priority=self._priority
            )
            answer = ask(command)
        task_id = task_id_in(answer.output)
        if answer.status or task_id is None:
            raise SubmissionRefused(f"volc: {answer.words}")
        return task_id

    def report(self, job_id: str, job: Job) -> JobReport:
        answer = ask(["volc", "ml_task", "get", "--id", job_id, "--output", "json", "--format", "Status"])
        status = status_in(answer.output)
        return volc_report(status) if status else _without_status(answer)

    def output(self, job_id: str) -> str:
        answer = ask(["volc", "ml_task", "logs", "--task", job_id, "--instance", "worker_0"])
        if answer.status:
            raise SchedulerSilent(f"volc ml_task logs: {answer.words}")
        return answer.output

    def cancel(self, job_id: str) -> None:
        answer = ask(["volc", "ml_task", "cancel", "--id", job_id])
        if answer.status:
            raise SchedulerSilent(f"volc ml_task cancel: {answer.words}")


def _without_status(answer: Answer) -> JobReport:
    if "not found" in answer.words.lower() or "notfound" in answer.words.lower():
        return JobReport(JobPhase.UNKNOWN, answer.words)
    if answer.status:
        raise SchedulerSilent(f"volc ml_task get: {answer.words}")
    raise UnreadableAnswer(answer.words)
