"""The command that goes on with a run."""

import shlex
from typing import Any

from flows.run.run import Run
from tasks.plan.request import RunRequest
from tasks.spec.secrets.scrubber import SecretScrubber

_FLAGS = {"overrides": "--set"}
"""Flags that are not named like their field."""
_PREFIXES = {"hf": "--", "custom": "--custom-dataset-"}
_HF_NAMES = ("path", "type", "num_gpus")
_SEPARATE = ("config", "reuse", "debug")


def continuation(program: str, run: Run, *, inline: bool) -> str:
    """What to type, with everything that was asked for the first time."""
    request = run.plan.request
    words = [request.config] if request.config else []
    words += _words_of(request)
    words += ["--inline"] * inline + ["--reuse", run.folder.name]
    return SecretScrubber.of_configuration(run.plan.values).scrub(f"{program} {shlex.join(words)}")


def _words_of(request: RunRequest) -> list[str]:
    words: list[str] = []
    for name, value in request.model_dump(exclude_defaults=True, exclude=set(_SEPARATE)).items():
        if name in _PREFIXES:
            words += [word for field, item in value.items() for word in _flag(_nested_flag(name, field), item)]
        elif name == "overrides":
            words += [word for item in value for word in (_FLAGS[name], item)]
        elif name == "dump_eval_details":
            words += ["--dump-eval-details", "false"]
        else:
            words += _flag(f"--{name.replace('_', '-')}", value)
    return words


def _nested_flag(group: str, field: str) -> str:
    prefix = "--hf-" if group == "hf" and field in _HF_NAMES else _PREFIXES[group]
    return prefix + field.replace("_", "-")


def _flag(flag: str, value: Any) -> list[str]:
    if value is True:
        return [flag]
    if isinstance(value, dict):
        return [flag, *(f"{key}={item!r}" for key, item in value.items())]
    return [flag, *map(str, value)] if isinstance(value, tuple | list) else [flag, str(value)]
