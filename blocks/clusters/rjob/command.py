"""The `rjob` scheduler through its command line tool."""

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast

from blocks.clusters.cloud import UnreadableAnswer
from blocks.clusters.command_calls import ask
from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, Stage, SubmissionRefused

_MEMORY_PER_GPU, _CPUS_PER_GPU = 160_000, 16
_MEMORY, _CPUS = 32_000, 8
"""Of jobs without a GPU, where the settings say nothing; memory is in MB."""
_PHASES = {
    "succeeded": JobPhase.DONE,
    "failed": JobPhase.FAILED,
    "stopped": JobPhase.CANCELLED,
    "cancelled": JobPhase.CANCELLED,
    "running": JobPhase.RUNNING,
    **dict.fromkeys(
        ("inqueue", "unknown", "starting", "pending", "timeout", "restarting", "queued", "suspended", "submitted"),
        JobPhase.WAITING,
    ),
}


def job_name(settings: Mapping[str, Any], stage: Stage) -> str:
    """A name of its own for each submission: `oc-<stage>-<task_id>-<8 hexadecimal digits>`."""
    return f"oc-{stage}-{settings.get('task_id') or 'compass'}-{secrets.token_hex(4)}"


def submit_command(
    settings: Mapping[str, Any], name: str, shell: str, num_gpus: int, environment: Mapping[str, str]
) -> list[str]:
    """The command that submits one job; `environment` is seen by everybody who sees the job."""
    once = {"charged-group": "charged_group", "private-machine": "private_machine"}
    optional = [f"--{option}={settings[key]}" for option, key in once.items() if settings.get(key)]
    replicas = ["-P", str(settings["replicas"])] if settings.get("replicas") else []
    host_network = settings.get("host_network")
    network = [f"--host-network={str(host_network).lower()}"] if host_network is not None else []
    return [
        "rjob", "submit", f"--metadata-name={name}",
        *_resources(settings, num_gpus),
        *optional,
        *(f"--mount={path}" for path in _texts(settings.get("mount"))),
        *([f"--image={settings['image']}"] if settings.get("image") else []),
        *replicas,
        *network,
        *(word for key, value in environment.items() for word in ("-e", f"{key}={value}")),
        *_texts(settings.get("extra_args")),
        "--", "bash", "-c", shell,
    ]  # fmt: skip


def phase_in(output: str, name: str) -> tuple[JobPhase, str] | None:
    """What `rjob get` says of a job, and its own word for it, from the last line that names the job."""
    lines = [line.partition(name)[2].lower() for line in output.splitlines() if f"rjob {name}" in line]
    words = (word for word in re.findall(r"[a-z]+", lines[-1] if lines else "") if word in _PHASES)
    known = next(words, None)
    return (_PHASES[known], known) if known else None


class RJOBCommand:
    """Jobs of one charged group."""

    title = "RJOB"

    def __init__(self, settings: Mapping[str, Any], environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._environment = environment

    def submit(self, job: Job, shell: str) -> str:
        name = job_name(self._settings, job.stage)
        answer = ask(submit_command(self._settings, name, shell, job.num_gpus, self._environment))
        if answer.status:
            raise SubmissionRefused(f"rjob: {answer.words}", temporary=True)
        return name

    def report(self, job_id: str, job: Job) -> JobReport:
        answer = ask(["rjob", "get", job_id])
        found = phase_in(answer.output, job_id)
        if found is not None:
            phase, word = found
            return JobReport(phase, "" if phase in (JobPhase.DONE, JobPhase.RUNNING) else word)
        if "not found" in answer.words.lower():
            return JobReport(JobPhase.UNKNOWN, answer.words)
        if answer.status:
            raise SchedulerSilent(f"rjob get: {answer.words}")
        raise UnreadableAnswer(answer.words)

    def output(self, job_id: str) -> str:
        return ""  # no command for it is documented

    def cancel(self, job_id: str) -> None:
        answer = ask(["rjob", "stop", job_id])
        if answer.status and "not found" not in answer.words.lower():
            raise SchedulerSilent(f"rjob stop: {answer.words}")


def _resources(settings: Mapping[str, Any], num_gpus: int) -> list[str]:
    if num_gpus:
        return [f"--gpu={num_gpus}", f"--memory={_MEMORY_PER_GPU * num_gpus}", f"--cpu={_CPUS_PER_GPU * num_gpus}"]
    return [f"--memory={settings.get('memory') or _MEMORY}", f"--cpu={settings.get('cpu') or _CPUS}"]


def _texts(value: Any) -> list[str]:
    if not value:
        return []
    return [value] if isinstance(value, str) else [str(item) for item in cast(Sequence[Any], value)]
