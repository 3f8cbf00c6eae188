"""The effective configuration: what the file says, what the command line changes, and the defaults of both stages.

Saved as a file, it plans the same run without any flag.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tasks.plan.configured_options import COMMAND_LINE, COMMAND_LINE_KEYS, INFER_KEYS, OWN_CLASSES
from tasks.plan.partitioners import NumWorkerPartitioner
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import StagePlan
from tasks.plan.stage_options import RunnerChoice, default_partitioner
from tasks.spec.findings import Place
from tasks.spec.names.type_loading import import_type
from tasks.spec.run_spec import Component, RunSpec, StageSpec
from tasks.spec.values import ConfigDict

_SUMMARIZER = "tasks.report.summary.summarizer.DefaultSummarizer"
_OWN_PARTITIONERS = "tasks.plan.partitioners."
_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


@dataclass(frozen=True)
class PlannedStage:
    """A stage with what planning has chosen for it."""

    spec: StageSpec
    runner: RunnerChoice
    task_type: str
    plan: StagePlan


def effective_values(
    values: ConfigDict,
    spec: RunSpec,
    stages: Mapping[str, PlannedStage],
    request: RunRequest,
    work_dir: str,
    search_path: tuple[str, ...],
) -> ConfigDict:
    """`values` are those without the options of a run, which the request holds."""
    told = {name: getattr(request, name) for name in RunRequest.model_fields if request.is_changed(name)}
    complete: dict[str, Any] = {name: _stage(values, name, stage, search_path) for name, stage in stages.items()}
    complete["infer"] |= {name: value for name, value in told.items() if name in INFER_KEYS}
    complete["summarizer"] = _summarizer(values, spec, search_path)
    complete["work_dir"] = work_dir
    complete[OWN_CLASSES] = list(search_path)
    rest = {name: value for name, value in told.items() if name in COMMAND_LINE_KEYS}
    if request.mode in ("all", "infer"):
        rest.pop("reuse", None)  # which folder a run goes on in is no property of what it does
    if rest:
        complete[COMMAND_LINE] = ConfigDict(rest)
    return values | complete


def _stage(values: ConfigDict, name: str, stage: PlannedStage, search_path: tuple[str, ...]) -> ConfigDict:
    section = _section(values, name)
    runner = _section(section, "runner")
    task = _complete(_section(runner, "task"), stage.task_type, {}, search_path)
    runner = _complete(runner, stage.runner.type, stage.runner.arguments, search_path) | {"task": task}
    partitioner = _partitioner(_section(section, "partitioner"), name, stage, search_path)
    return section | {"partitioner": partitioner, "runner": runner}


def _partitioner(written: ConfigDict, name: str, stage: PlannedStage, search_path: tuple[str, ...]) -> ConfigDict:
    default = default_partitioner(name)
    component = stage.spec.partitioner or Component(type=f"{default.__module__}.{default.__qualname__}")
    if not component.type.startswith(_OWN_PARTITIONERS):  # what others leave out, datasets may say
        return written
    workers = {"num_worker": stage.plan.max_num_workers} if component.name == NumWorkerPartitioner.__name__ else {}
    return _complete(written, component.type, workers, search_path)


def _summarizer(values: ConfigDict, spec: RunSpec, search_path: tuple[str, ...]) -> ConfigDict:
    dotted = spec.summarizer["type"] if spec.summarizer else _SUMMARIZER
    return _complete(_section(values, "summarizer"), dotted, {}, search_path)


def _section(values: ConfigDict, key: str) -> ConfigDict:
    section = values.get(key)
    return section if isinstance(section, ConfigDict) else ConfigDict.placed({}, Place(), {})


def _complete(written: ConfigDict, dotted: str, chosen: Mapping[str, Any], search_path: tuple[str, ...]) -> ConfigDict:
    """A component with its type, what planning has chosen for it, and its class's defaults."""
    missing = {key: value for key, value in {**_defaults(dotted, search_path), **chosen}.items() if key not in written}
    return written | {"type": written.get("type", dotted), **missing}


def _defaults(dotted: str, search_path: tuple[str, ...]) -> dict[str, Any]:
    try:
        parameters = inspect.signature(import_type(dotted, search_path)).parameters
    except (TypeError, ValueError):
        return {}
    return {
        name: parameter.default
        for name, parameter in parameters.items()
        if parameter.kind in _BY_NAME and name != "task" and _is_plain(parameter.default)
    }


def _is_plain(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, bool | int | float | str)
