"""What each stage runs with: the configuration's parts, the flags, and the defaults for what both leave out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tasks.plan.partitioners import NaivePartitioner, NumWorkerPartitioner, Partitioner
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import StagePlan
from tasks.plan.runners import known_arguments
from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.run_spec import Component, StageSpec

LOCAL_RUNNER = "blocks.clusters.local.LocalRunner"
_WORKERS_OF_OWN_RUNNER = 32
"""Where a class of the user's has no `max_num_workers`: the default of OpenCompass's cluster runners."""
_FLAGS = {
    "max_num_workers": "--max-num-workers",
    "max_workers_per_gpu": "--max-workers-per-gpu",
    "retry": "--retry",
    "qos": "--qos",
    "partition": "--partition",
    "quotatype": "--quotatype",
}


@dataclass(frozen=True)
class RunnerChoice:
    """The runner of a stage, with the arguments it gets."""

    type: str
    configured: Mapping[str, Any]
    """Arguments that stand in the configuration."""
    arguments: Mapping[str, Any]
    known: frozenset[str]
    """Names of all its arguments."""

    @property
    def name(self) -> str:
        return self.type.rpartition(".")[2]


def choose_runner(
    stage: StageSpec, request: RunRequest, search_path: tuple[str, ...], default_workers: int
) -> RunnerChoice:
    """The configured runner, else a local one with `default_workers`; flags fill in what the configuration leaves out.

    A key that neither gives has the class's default.
    """
    component = stage.runner or Component(type=LOCAL_RUNNER)
    known = frozenset(known_arguments(component.type, search_path))
    arguments = dict(component.arguments)
    for key, value in _given(request).items():
        if key in known:
            arguments.setdefault(key, value)
    if stage.runner is None:
        arguments.setdefault("max_num_workers", default_workers)
    return RunnerChoice(component.type, component.arguments, arguments, known)


def stage_plan(
    stage: StageSpec, default_task: str, runner: RunnerChoice, request: RunRequest, search_path: tuple[str, ...]
) -> StagePlan:
    """Task type, runner, number of workers and task options of a stage."""
    task = stage.task or Component(type=default_task)
    options = dict(vars(import_type(task.type, search_path)(**task.arguments)))
    runner_class = import_type(runner.type, search_path)
    own_task = {"task": {"type": task.type, **task.arguments}} if "task" in runner.known else {}
    built = runner_class(**runner.arguments, **own_task)
    workers = 1 if request.debug else int(getattr(built, "max_num_workers", _WORKERS_OF_OWN_RUNNER))
    place = stage.runner.place if stage.runner else Place()
    in_process = bool(getattr(runner_class, "in_process", False))
    return StagePlan(task.name, workers, options, runner.type, in_process, _needs(built, place), built)


def flag_findings(runners: Mapping[str, RunnerChoice], request: RunRequest) -> list[Finding]:
    """A flag that the configuration overrules, or that no runner uses, is never silently void."""
    findings: list[Finding] = []
    for key, value in _given(request).items():
        flag = f"{_FLAGS[key]} {value}"
        if request.debug and key == "max_num_workers":
            findings.append(_warning(f"{flag} has no effect: --debug runs one task at a time"))
            continue
        users = {name: runner for name, runner in runners.items() if key in runner.known}
        if not users:
            names = " and ".join(dict.fromkeys(runner.name for runner in runners.values()))
            findings.append(_warning(f"{flag} has no effect: {names} has no {key}"))
        findings += [
            _warning(f"{flag} has no effect on {name}: the configuration says {key}={runner.configured[key]!r}", name)
            for name, runner in users.items()
            if runner.configured.get(key, value) != value
        ]
    return findings


def build_partitioner(
    stage: StageSpec, workers: int, search_path: tuple[str, ...], *, default: type[Any]
) -> Partitioner:
    """The configured partitioner, else the default; a missing `num_worker` is the number of workers."""
    component = stage.partitioner
    factory: Any = import_type(component.type, search_path) if component else default
    arguments = dict(component.arguments) if component else {}
    if factory is NumWorkerPartitioner:
        arguments.setdefault("num_worker", workers)
    try:
        return factory(**arguments)
    except UserError as error:
        place = component.place if component else Place()
        raise UserError([replace(finding, place=place) for finding in error.findings]) from None


def default_partitioner(name: str) -> type[Any]:
    """NumWorker cuts inference, Naive takes scoring pair by pair."""
    return NumWorkerPartitioner if name == "infer" else NaivePartitioner


def _given(request: RunRequest) -> dict[str, Any]:
    return {key: value for key in _FLAGS if (value := getattr(request, key)) is not None}


def _needs(runner: Any, place: Place) -> Sequence[Finding]:
    needs = getattr(runner, "needs", None)
    found: Any = needs() if callable(needs) else ()
    return tuple(
        finding if str(finding.place) else Finding(finding.message, place, finding.remedy, finding.kind)
        for finding in found
    )


def _warning(message: str, stage: str | None = None) -> Finding:
    return Finding(message, Place(key=f"{stage}.runner" if stage else None), kind=FindingKind.WARNING)
