"""Which runner each stage has: the configuration's, or the one that the command line puts in its place."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tasks.plan.request import RunRequest
from tasks.spec.config.file import load_config
from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.names.type_loading import import_type, resolve_type, written_type
from tasks.spec.names.type_table import TABLE
from tasks.spec.values import ConfigDict

STAGES = ("infer", "eval")
_FLAGS = {"slurm": "--slurm", "dlc": "--dlc"}
_KEPT = ("task", "type")


def runner_type(name: str) -> str:
    """Dotted path of the runner class that `--runner NAME` means; UserError if it means none."""
    return resolve_type(_names().get(name, name), "runner", Place(key=_flag(name)))


def _names() -> dict[str, str]:
    """Class names by the names of OpenCompass's modules, e.g. `slurm`."""
    return {entry.module: entry.name for entry in TABLE if entry.kind == "runner"}


def _flag(name: str) -> str:
    return _FLAGS.get(name, f"--runner {name}")


def replace_runners(
    values: ConfigDict, request: RunRequest, search_path: tuple[str, ...]
) -> tuple[ConfigDict, list[Finding]]:
    """The configuration with the runner that the request asks for in both stages; partitioners and tasks stay.

    Keys that the new runner does not know are dropped; one warning lists what was replaced and dropped.
    `--partition` and `--quotatype` are put into Slurm runners.
    """
    changes: list[str] = []
    if request.runner is not None:
        flag, saved = _flag(request.runner), request.saved_runner
        runner = saved.type if saved else runner_type(request.runner)
        of_file = saved is None and runner.endswith(".DLCRunner")
        extra = dict(saved.arguments) if saved else _aliyun(request) if of_file else {}
        for stage in STAGES:
            values, change = _replaced(values, stage, runner, extra, search_path)
            changes += change
        changes = [f"{flag} replaces {'; '.join(changes)}"] if changes else []
    values = _in_slurm(values, {"partition": request.partition, "quotatype": request.quotatype}, search_path)
    return values, [Finding(change, kind=FindingKind.WARNING) for change in changes]


def known_arguments(runner: str, search_path: tuple[str, ...]) -> set[str]:
    """Names of the arguments that a runner class takes."""
    return set(inspect.signature(import_type(runner, search_path)).parameters)


def _replaced(
    values: ConfigDict, stage: str, runner: str, extra: dict[str, Any], search_path: tuple[str, ...]
) -> tuple[ConfigDict, list[str]]:
    section = values.get(stage)
    section = section if isinstance(section, ConfigDict) else ConfigDict.placed({}, Place(), {})
    old = section.get("runner")
    old = old if isinstance(old, ConfigDict) else ConfigDict.placed({}, section.place, {})
    known = known_arguments(runner, search_path)
    dropped = [str(key) for key in old if key not in known and key not in _KEPT]
    kept = {key: old[key] for key in old if key == "task" or key in known}
    new = ConfigDict.placed({**kept, **extra, "type": runner}, old.place, old.lines)
    change = []
    if "type" in old and resolve_type(old["type"], "runner", old.place_of("type")) != runner:
        without = f" without {', '.join(dropped)}" if dropped else ""
        change = [f"{written_type(old['type']).rpartition('.')[2]} of {stage}{without}"]
    return values | {stage: section | {"runner": new}}, change


def _in_slurm(values: ConfigDict, given: dict[str, str | None], search_path: tuple[str, ...]) -> ConfigDict:
    flags = {key: value for key, value in given.items() if value is not None}
    for stage, section, runner in _configured(values):
        known = known_arguments(resolve_type(runner["type"], "runner", runner.place_of("type")), search_path)
        own = {key: value for key, value in flags.items() if key in known}
        if own:
            values = values | {stage: section | {"runner": runner | own}}
    return values


def _configured(values: ConfigDict) -> Iterator[tuple[str, ConfigDict, ConfigDict]]:
    for stage in STAGES:
        section = values.get(stage)
        runner = section.get("runner") if isinstance(section, ConfigDict) else None
        if isinstance(section, ConfigDict) and isinstance(runner, ConfigDict) and "type" in runner:
            yield stage, section, runner


def _aliyun(request: RunRequest) -> dict[str, Any]:
    path = Path(request.aliyun_cfg).expanduser()
    if not path.is_file():
        message = f"--dlc needs the settings of Aliyun, but there is no file {path}"
        raise UserError(Finding(message, remedy="name it with --aliyun-cfg FILE"))
    return {"aliyun_cfg": load_config(path, as_python=True).values}
