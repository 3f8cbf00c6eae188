"""Aliyun PAI-DLC through its command line tool `dlc`."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from blocks.clusters.cloud import UnreadableAnswer
from blocks.clusters.command_calls import Answer, ask
from blocks.clusters.dlc.states import dlc_report
from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from tasks.spec.storage.json_text import parse_json

_LONGEST_NAME = 512


@dataclass(frozen=True)
class DLCResources:
    """What one job asks for."""

    cpu: int
    gpu: int
    memory_gib: int


def dlc_resources(settings: Mapping[str, Any], num_gpus: int) -> DLCResources:
    """8 processors and 128 GiB for each GPU, and never less than `worker_cpu` and `worker_memory`."""
    cpu, memory = int(settings.get("worker_cpu", 12)), int(settings.get("worker_memory", 192))
    return DLCResources(max(8 * num_gpus, cpu), num_gpus, max(128 * num_gpus, memory))


def gpus_needed(job: Job, eval_with_gpu: Sequence[str]) -> int:
    """The job's own need; one for scoring whose name has one of the words in it."""
    wants_one = job.stage == "eval" and any(word in job.name for word in eval_with_gpu)
    return max(job.num_gpus, int(wants_one))


def data_sources(settings: Mapping[str, Any]) -> list[str]:
    """Ids of the datasets that the job mounts."""
    given = settings.get("data_sources") or ()
    return given.split(",") if isinstance(given, str) else [str(item) for item in cast(Sequence[Any], given)]


def submit_command(
    settings: Mapping[str, Any], name: str, shell: str, num_gpus: int, *, preemptible: bool
) -> list[str]:
    """The command that submits one job."""
    creates = settings.get("dlc_job_cmd") == "create"
    needed, sources = dlc_resources(settings, num_gpus), data_sources(settings)
    options = {
        "command": shlex.join(("bash", "-c", shell)),
        "name": name[:_LONGEST_NAME],
        "config": _config(settings),
        "workspace_id": settings.get("workspace_id"),
        "resource_id": settings.get("resource_id"),
        "priority": settings.get("priority", 1),
        "worker_count" if creates else "workers": 1,
        "worker_cpu": needed.cpu,
        "worker_gpu": needed.gpu,
        "worker_memory": f"{needed.memory_gib}Gi",
        "worker_image": settings.get("worker_image"),
        "data_sources": ",".join(sources) or None,
    }
    begin = ["dlc", "create", "job", "--kind", "PyTorchJob"] if creates else ["dlc", "submit", "pytorchjob"]
    given = [word for option, value in options.items() if value is not None for word in (f"--{option}", str(value))]
    return [*begin, *given, *(["--enable_priority_preemption"] if preemptible else [])]


def job_id_in(output: str) -> str | None:
    """The id in the table that a submission prints: the cell that begins with `dlc`."""
    cells = (cell for line in output.splitlines() for cell in re.split(r"[|\s]+", line))
    return next((cell for cell in cells if re.fullmatch(r"dlc[\w-]+", cell)), None)


class DLCCommand:
    """Jobs of one workspace."""

    title = "DLC"

    def __init__(self, settings: Mapping[str, Any], *, preemptible: bool, eval_with_gpu: Sequence[str]) -> None:
        self._settings = settings
        self._eval_with_gpu = eval_with_gpu
        self._preemptible = preemptible
        self._config = ["--config", path] if (path := _config(settings)) else []
        self._pods: dict[str, str] = {}

    def submit(self, job: Job, shell: str) -> str:
        gpus = gpus_needed(job, self._eval_with_gpu)
        answer = ask(submit_command(self._settings, job.name, shell, gpus, preemptible=self._preemptible))
        job_id = job_id_in(answer.output)
        if answer.status or job_id is None:
            raise SubmissionRefused(f"dlc: {answer.words}")
        return job_id

    def report(self, job_id: str, job: Job) -> JobReport:
        answer = ask(["dlc", "get", "job", job_id, *self._config])
        try:
            found: Any = parse_json(answer.output)
            status = str(found["Status"])
            pods: Any = found.get("Pods") or [{}]
            self._pods[job_id] = str(pods[0].get("PodId") or f"{job_id}-master-0")
        except (ValueError, LookupError, TypeError, AttributeError):
            return _without_status(answer)
        return dlc_report(status, str(found.get("ReasonCode") or ""), str(found.get("ReasonMessage") or ""))

    def output(self, job_id: str) -> str:
        answer = ask(["dlc", "logs", job_id, self._pods[job_id], *self._config])
        if answer.status:
            raise SchedulerSilent(f"dlc logs: {answer.words}")
        return answer.output

    def cancel(self, job_id: str) -> None:
        answer = ask(["dlc", "stop", "job", job_id, "--force", *self._config])
        if answer.status and "can't be stopped" not in answer.words:
            raise SchedulerSilent(f"dlc stop: {answer.words}")


def _config(settings: Mapping[str, Any]) -> str | None:
    path = settings.get("dlc_config_path")
    return str(Path(path).expanduser()) if path else None


def _without_status(answer: Answer) -> JobReport:
    if "404" in answer.words or "not exist" in answer.words.lower():
        return JobReport(JobPhase.UNKNOWN, answer.words)
    if answer.status:
        raise SchedulerSilent(f"dlc get: {answer.words}")
    raise UnreadableAnswer(answer.words)
