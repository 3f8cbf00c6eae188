"""What each stage runs with: the configuration's parts, the flags, and the defaults for what both leave out."""

from typing import Any

from tasks.plan.partitioners import NaivePartitioner, NumWorkerPartitioner, Partitioner
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import StagePlan
from tasks.spec.findings import Finding, FindingKind, Place
from tasks.spec.run_spec import Component, StageSpec
from tasks.spec.type_loading import import_type

_DEFAULT_WORKERS = 1
"""What `--max-num-workers` is when it is not given."""


def stage_plan(stage: StageSpec, default_task: str, request: RunRequest, search_path: tuple[str, ...]) -> StagePlan:
    """Task type, number of workers and task options of a stage."""
    task = stage.task or Component(type=default_task)
    options = dict(vars(import_type(task.type, search_path)(**task.arguments)))
    return StagePlan(task=task.name, max_num_workers=_workers(stage, request, search_path), options=options)


def overruled_flags(name: str, stage: StageSpec, request: RunRequest) -> list[Finding]:
    """A flag that the configuration overrules is never silently void."""
    given, configured = request.max_num_workers, (stage.runner.arguments if stage.runner else {}).get("max_num_workers")
    if given is None or configured is None or given == configured or request.debug:
        return []
    message = f"--max-num-workers {given} has no effect on {name}: the configuration says max_num_workers={configured}"
    return [Finding(message, Place(key=f"{name}.runner"), kind=FindingKind.WARNING)]


def build_partitioner(
    stage: StageSpec, workers: int, search_path: tuple[str, ...], *, default: type[Any]
) -> Partitioner:
    """The configured partitioner, else the default; a missing `num_worker` is the number of workers."""
    component = stage.partitioner
    factory: Any = import_type(component.type, search_path) if component else default
    arguments = dict(component.arguments) if component else {}
    if factory is NumWorkerPartitioner:
        arguments.setdefault("num_worker", workers)
    return factory(**arguments)


def default_partitioner(name: str) -> type[Any]:
    """NumWorker cuts inference, Naive takes scoring pair by pair."""
    return NumWorkerPartitioner if name == "infer" else NaivePartitioner


def _workers(stage: StageSpec, request: RunRequest, search_path: tuple[str, ...]) -> int:
    if request.debug:
        return 1
    given = request.max_num_workers
    if stage.runner is None:
        return given or _DEFAULT_WORKERS
    arguments = dict(stage.runner.arguments)
    if given is not None:
        arguments.setdefault("max_num_workers", given)
    return import_type(stage.runner.type, search_path)(**arguments).max_num_workers
