"""From the arguments of a command line to the request they mean."""

import argparse
from typing import Any

from pydantic import ValidationError

from tasks.plan.request import CustomData, HFModel, RunRequest
from tasks.spec.config.key_values import parse_pairs
from tasks.spec.findings import Finding, Place, UserError, problem_text

_PATHS = {"hf": "--hf-path", "custom": "--custom-dataset-path"}


def request_of(arguments: argparse.Namespace) -> RunRequest:
    """The request that the arguments describe; UserError for options that need another one."""
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    if not str(given.get("config", "x")).strip():
        del given["config"]
    fields: dict[str, Any] = {
        name: value for name, value in given.items() if name in RunRequest.model_fields and _is_typed(name, value)
    }
    hf, custom = _group(given, "hf"), _group(given, "custom")
    for name in [name for name in hf if name.endswith("_kwargs")]:
        hf[name] = parse_pairs(hf[name], f"--{name.replace('_', '-')}")
    try:
        described = {"hf": hf and HFModel(**hf), "custom": custom and CustomData(**custom)}
        return RunRequest.model_validate(fields | {name: value for name, value in described.items() if value})
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        flag = "--" + ".".join(map(str, problem["loc"])).replace("_", "-")
        raise UserError(Finding(problem_text(problem), Place(key=flag))) from None


def _is_typed(name: str, value: Any) -> bool:
    """Whether somebody wrote the option; an untyped switch is False and an untyped list is empty."""
    return name == "dump_eval_details" or (value is not False and value != [])


def _group(given: dict[str, Any], prefix: str) -> dict[str, Any]:
    """The options of one group, by field; they describe nothing without their path."""
    group = {name.removeprefix(f"{prefix}_"): value for name, value in given.items() if name.startswith(f"{prefix}_")}
    if group and "path" not in group:
        flags = " and ".join(_flag(prefix, name) for name in group)
        raise UserError(Finding(f"{flags} would have no effect without {_PATHS[prefix]}"))
    return group


def _flag(prefix: str, field: str) -> str:
    name = field.replace("_", "-")
    if prefix == "custom":
        return f"--custom-dataset-{name}"
    return f"--hf-{name}" if field in ("type", "num_gpus") else f"--{name}"
