"""The whole configuration as one checked spec."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from pydantic import Field

from tasks.spec.build import build_datasets, build_models, dataset_abbr, model_abbr
from tasks.spec.checker import CheckedComponent, Checker
from tasks.spec.config.file import TOP_LEVEL_KEYS
from tasks.spec.findings import Finding, FindingKind, Place, closest, did_you_mean, nearest
from tasks.spec.names.type_table import Kind
from tasks.spec.signatures import key_place
from tasks.spec.specs import DatasetSpec, ModelSpec, Spec
from tasks.spec.subjective import with_partitioner
from tasks.spec.values import ConfigDict, as_config

Stage = Literal["infer", "eval"]

_PARTS: tuple[Kind, ...] = ("partitioner", "runner", "task")
_STAGE_KEYS = ("partitioner", "runner", "given_pred")
_UNSAFE = "unsafe_code_execution"
_HOMES: dict[Stage, str] = {"infer": "tasks.infer.", "eval": "tasks.score."}
_CONCURRENT = "tasks.infer.kinds.OpenICLInferConcurrentTask"
_API_RUNNER = "blocks.clusters.local.LocalAPIRunner"
_SPLITTING = ("NumWorkerPartitioner", "SizePartitioner")
"""Partitioners of inference: the subjective ones never cut a dataset."""
_DEFAULT_RUNNER = "LocalRunner"
_DEFAULT_PARTS: dict[Stage, tuple[str, str]] = {
    "infer": ("NumWorkerPartitioner", "OpenICLInferTask"),
    "eval": ("NaivePartitioner", "OpenICLEvalTask"),
}
"""Partitioner and task."""
_DEFAULT_SUMMARIZER = "DefaultSummarizer"


class Component(Spec):
    """A partitioner, runner or task: which class, with which arguments."""

    type: str
    """Dotted path of the class to import."""
    written_type: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    place: Place = Field(default=Place(), exclude=True)

    @property
    def name(self) -> str:
        """Name of the class."""
        return self.type.rpartition(".")[2]


class StageSpec(Spec):
    """How the configuration wants a stage to run; None stands for what it leaves to the default."""

    partitioner: Component | None = None
    runner: Component | None = None
    task: Component | None = None
    unsafe_code_execution: bool = False
    """In `eval`: programs that models wrote run without a sandbox where there is none."""


class Combination(NamedTuple):
    """Models and datasets, by abbreviation, of which each pair is evaluated."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]


class RunSpec(Spec):
    """One configuration, checked."""

    models: tuple[ModelSpec, ...]
    datasets: tuple[DatasetSpec, ...]
    infer: StageSpec = StageSpec()
    eval: StageSpec = StageSpec()
    summarizer: dict[str, Any] | None = None
    """Its `type` is a dotted path; the rest are arguments. None if the configuration names none."""
    work_dir: str | None = None
    model_dataset_combinations: tuple[Combination, ...] | None = None
    """None: every model with every dataset."""


def build_run_spec(
    values: ConfigDict, search_path: Sequence[str | Path] = (), *, prefer_theirs: bool = False
) -> tuple[RunSpec, list[Finding]]:
    """The spec of a configuration and all that is wrong with it; nothing is raised for bad input."""
    config = as_config(values, Place())
    checker = Checker(search_path, prefer_theirs)
    models, model_findings = build_models(config, search_path, prefer_theirs=prefer_theirs)
    datasets, dataset_findings = build_datasets(config, search_path, prefer_theirs=prefer_theirs)
    infer, evaluation = _stage(config, "infer", checker), _stage(config, "eval", checker)
    _check_local_models(infer, models, checker)
    _check_eval_partitioner(evaluation, checker)
    _check_spelling(config, checker)
    partitioner = evaluation.partitioner.arguments if evaluation.partitioner else {}
    spec = RunSpec(
        models=tuple(models),
        datasets=tuple(with_partitioner(dataset, partitioner) for dataset in datasets),
        infer=infer,
        eval=evaluation,
        summarizer=_summarizer(config, checker),
        work_dir=_work_dir(config, checker),
        model_dataset_combinations=_combinations(config, models, datasets, checker),
    )
    return spec, [*model_findings, *dataset_findings, *checker.distinct()]


def _stage(config: ConfigDict, stage: Stage, checker: Checker) -> StageSpec:
    section = _dict(config, stage, checker)
    valid = (*_STAGE_KEYS, _UNSAFE) if stage == "eval" else _STAGE_KEYS
    for key in section:
        if key not in valid:
            checker.add(f"{stage} has no option {key!r}", key_place(section, str(key), stage), nearest(str(key), valid))
    section = _with_default_types(section, stage)
    runner = section.get("runner")
    parts: dict[str, Component | None] = {"partitioner": _part(section, "partitioner", stage, checker)}
    if isinstance(runner, ConfigDict):
        parts["task"] = _part(runner, "task", f"{stage}.runner", checker)
        _check_task(parts["task"], stage, checker)
    if not isinstance(runner, ConfigDict) or "type" in runner:
        parts["runner"] = _part(section, "runner", stage, checker)
    return StageSpec(**parts, unsafe_code_execution=_is_unsafe(section, stage, checker))


def _with_default_types(section: ConfigDict, stage: Stage) -> ConfigDict:
    """A part that says something of itself but not its type is of the default type."""
    partitioner_type, task_type = _DEFAULT_PARTS[stage]
    partitioner, runner = section.get("partitioner"), section.get("runner")
    if isinstance(partitioner, ConfigDict) and partitioner and "type" not in partitioner:
        section = section | {"partitioner": partitioner | {"type": partitioner_type}}
    if not isinstance(runner, ConfigDict):
        return section
    task = runner.get("task")
    if isinstance(task, ConfigDict) and task and "type" not in task:
        runner = runner | {"task": task | {"type": task_type}}
    if "type" not in runner and set(runner) - {"task"}:
        runner = runner | {"type": _DEFAULT_RUNNER}
    return section | {"runner": runner}


def _is_unsafe(section: ConfigDict, stage: Stage, checker: Checker) -> bool:
    value = section.get(_UNSAFE, False)
    if not isinstance(value, bool):
        checker.add(f"{_UNSAFE} is True or False, not {value!r}", key_place(section, _UNSAFE, stage))
    return value is True


def _part(section: ConfigDict, kind: Kind, path: str, checker: Checker) -> Component | None:
    value = section.get(kind)
    if value is None:
        return None
    found = value.place if isinstance(value, ConfigDict) else section.place_of(kind)
    component = checker.component(value, kind, Place(found.file, found.line, f"{path}.{kind}"))
    return _component(component) if component else None


def _component(component: CheckedComponent) -> Component:
    return Component(
        type=component.type, written_type=component.written_type, arguments=component.arguments, place=component.place
    )


def _check_task(task: Component | None, stage: Stage, checker: Checker) -> None:
    if task and task.type.startswith("tasks.") and not task.type.startswith(_HOMES[stage]):
        other = "eval" if stage == "infer" else "infer"
        checker.add(f"{task.name} is a task of {other}", task.place, f"move it to {other}.runner")


def _check_local_models(infer: StageSpec, models: Sequence[ModelSpec], checker: Checker) -> None:
    local = [model.abbr for model in models if not model.is_api]
    if infer.runner and infer.runner.type == _API_RUNNER:
        if local:
            message = f"LocalAPIRunner is for API models, which {', '.join(local)} is not"
            checker.add(message, infer.runner.place, "use LocalRunner")
        if infer.task and infer.task.type == _CONCURRENT:
            message = "LocalAPIRunner counts the requests of OpenICLInferTask, not of OpenICLInferConcurrentTask"
            checker.add(message, infer.task.place, "use OpenICLInferTask, or LocalRunner")
    if infer.task and infer.task.type == _CONCURRENT and local:
        message = f"OpenICLInferConcurrentTask is for API models, which {', '.join(local)} is not"
        checker.add(message, infer.task.place, "use OpenICLInferTask")


def _check_eval_partitioner(evaluation: StageSpec, checker: Checker) -> None:
    partitioner = evaluation.partitioner
    if partitioner and partitioner.name in _SPLITTING:
        message = f"{partitioner.name} cuts datasets into pieces, but a score is of a whole dataset"
        checker.add(message, partitioner.place, "use NaivePartitioner in eval")


def _check_spelling(config: ConfigDict, checker: Checker) -> None:
    """Helper variables are welcome; a near miss of a key that is absent is probably one that was meant."""
    absent = [key for key in TOP_LEVEL_KEYS - set(config) if key not in ("models", "datasets")]
    for name in map(str, config):
        close = closest(name, absent, 1, likeness=0.8) if name not in TOP_LEVEL_KEYS else []
        if close and close[0] != f"{name}s":
            remedy = f"it is taken for a helper variable; {did_you_mean(close)}"
            checker.add(f"{name!r} has no meaning at the top level", config.place_of(name), remedy, FindingKind.WARNING)


def _summarizer(config: ConfigDict, checker: Checker) -> dict[str, Any] | None:
    section = _dict(config, "summarizer", checker)
    if config.get("summarizer") is None:
        return None
    named = section if "type" in section else section | {"type": _DEFAULT_SUMMARIZER}
    component = checker.component(named, "summarizer", Place(section.place.file, section.place.line, "summarizer"))
    return component.plain if component else None


def _work_dir(config: ConfigDict, checker: Checker) -> str | None:
    work_dir = config.get("work_dir")
    if work_dir is None or isinstance(work_dir, str | Path):
        return str(work_dir) if work_dir is not None else None
    checker.add(f"work_dir is the path of a folder, not {type(work_dir).__name__}", config.place_of("work_dir"))
    return None


def _combinations(
    config: ConfigDict, models: Sequence[ModelSpec], datasets: Sequence[DatasetSpec], checker: Checker
) -> tuple[Combination, ...] | None:
    key = "model_dataset_combinations"
    entries = config.get(key)
    if entries is None:
        return None
    if not isinstance(entries, list | tuple) or not all(
        isinstance(entry, ConfigDict) for entry in cast(list[Any], entries)
    ):
        checker.add(f"{key} is a list of dict(models=[…], datasets=[…])", config.place_of(key))
        return None
    known = {"models": [model.abbr for model in models], "datasets": [dataset.abbr for dataset in datasets]}
    combinations: list[Combination] = []
    for index, entry in enumerate(cast(list[ConfigDict], entries)):
        names = {name: _abbrs(entry, name, f"{key}[{index}]", known[name], checker) for name in known}
        combinations.append(Combination(models=names["models"], datasets=names["datasets"]))
    return tuple(combinations)


def _abbrs(entry: ConfigDict, key: str, path: str, known: Sequence[str], checker: Checker) -> tuple[str, ...]:
    """The abbreviations of the models or datasets of a combination, each of which must be one of the run's."""
    entries = entry.get(key)
    place = key_place(entry, key, path)
    if not isinstance(entries, list | tuple):
        checker.add(f"{key} is a list", place)
        return ()
    abbr_of = model_abbr if key == "models" else dataset_abbr
    items = cast(list[Any], entries)
    names = [str(abbr_of(item) if isinstance(item, ConfigDict) else item) for item in items]
    for name in names:
        if name not in known:
            checker.add(f"{name!r} is not among the {key} of this run", place, nearest(name, known))
    return tuple(names)


def _dict(config: ConfigDict, key: str, checker: Checker) -> ConfigDict:
    value = config.get(key)
    if isinstance(value, ConfigDict):
        return value
    if value is not None:
        checker.add(f"{key} is a dict, not {type(value).__name__}", config.place_of(key), f"write {key} = dict(…)")
    return ConfigDict.placed({}, config.place_of(key), {})
