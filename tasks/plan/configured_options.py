"""Options of a run that the configuration can set as well, under their names: in `infer` or in `command_line`."""

from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from tasks.plan.request import RunRequest
from tasks.spec.findings import Finding, Place, UserError, nearest, problem_text
from tasks.spec.values import ConfigDict

INFER_KEYS = (
    *("fail_on_error", "offline", "length_range", "prefer", "cache", "limit"),
    "preflight",
    *("max_samples", "max_tokens", "max_cost", "max_minutes"),
)
OWN_CLASSES = "own_classes"
"""Folders that the configuration's own classes are imported from, where they do not lie beside it."""
COMMAND_LINE = "command_line"
ELSEWHERE = frozenset(
    {
        *("config", "models", "datasets", "summarizer", "hf", "custom", "dataset_num_runs", "config_dir"),
        *("accelerator", "overrides", "work_dir", "station_path", "runner", "partition", "quotatype", "qos"),
        *("aliyun_cfg", "retry", "max_num_workers", "max_workers_per_gpu"),
    }
)
"""Options whose effect the effective configuration holds in other keys: sources, changes, folders and runners."""
COMMAND_LINE_KEYS = tuple(name for name in RunRequest.model_fields if name not in {*ELSEWHERE, *INFER_KEYS})


def with_configured_options(request: RunRequest, values: ConfigDict) -> tuple[RunRequest, ConfigDict]:
    """The request with what the configuration says and no flag does, and the configuration without these keys.

    UserError naming the place of a value that the option cannot have.
    """
    request, values = _with_section(request, values, COMMAND_LINE, COMMAND_LINE_KEYS)
    request, values = _with_section(request, values, "infer", INFER_KEYS)
    rest = {key: value for key, value in values.items() if key not in (COMMAND_LINE, OWN_CLASSES)}
    return request, values.with_values(rest)


def _with_section(
    request: RunRequest, values: ConfigDict, name: str, keys: Collection[str]
) -> tuple[RunRequest, ConfigDict]:
    section = values.get(name)
    if name == COMMAND_LINE and section is not None:
        _check_keys(section, values, keys)
    if not isinstance(section, ConfigDict) or not set(keys) & set(section):
        return request, values
    given = {key: section[key] for key in keys if key in section and not _is_asked_for(request, key)}
    rest = {key: value for key, value in section.items() if key not in keys}
    try:
        changed = RunRequest.model_validate({**request.model_dump(exclude_unset=True), **given})
    except ValidationError as error:
        raise UserError([_finding(problem, section, name) for problem in error.errors(include_url=False)]) from None
    changed = changed.on(request.saved_runner) if request.saved_runner else changed
    return changed, values | {name: section.with_values(rest)}


def _is_asked_for(request: RunRequest, key: str) -> bool:
    return key in request.model_fields_set or request.is_changed(key)


def _check_keys(section: Any, values: ConfigDict, keys: Collection[str]) -> None:
    if not isinstance(section, ConfigDict):
        message = f"{COMMAND_LINE} is a dict, not {type(section).__name__}"
        raise UserError(Finding(message, values.place_of(COMMAND_LINE), f"write {COMMAND_LINE} = dict(…)"))
    wrong = [key for key in section if key not in keys]
    if wrong:
        raise UserError(
            [
                Finding(f"{COMMAND_LINE} has no option {key!r}", section.place_of(key), nearest(str(key), keys))
                for key in wrong
            ]
        )


def _finding(problem: Any, section: ConfigDict, name: str) -> Finding:
    key = str(problem["loc"][0])
    place = section.place_of(key)
    return Finding(problem_text(problem), Place(place.file, place.line, f"{name}.{key}"))
