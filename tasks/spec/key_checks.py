"""Whether the key of a model can be had."""

import linecache
import os
import re
from collections.abc import Sequence
from typing import Any, cast

from tasks.spec.config_values import ConfigDict
from tasks.spec.findings import Finding, FindingKind, Place
from tasks.spec.secret_names import is_variable_name
from tasks.spec.signatures import key_place
from tasks.spec.type_table import entry_of

_GETENV = re.compile(r"(?:getenv|environ\.get)\(\s*['\"](\w+)['\"]")


def key_findings(model: ConfigDict, dotted: str, path: str) -> list[Finding]:
    """A finding for each key of the model whose variable is not set, also for one that `os.getenv()` did not find."""
    return [
        Finding(message, key_place(model, name, path), f"export {variable}=…", FindingKind.MACHINE)
        for name in ("key", "api_key")
        if name in model
        for message, variable in _missing(model[name], model.place_of(name), dotted)
    ]


def _missing(key: Any, place: Place, dotted: str) -> list[tuple[str, str]]:
    if key is None:
        match = _GETENV.search(linecache.getline(place.file, place.line) if place.file and place.line else "")
        variable = match[1] if match else "<the variable>"
        return [(f"the key is None: os.getenv() found no variable {match[1] if match else ''}".rstrip(), variable)]
    keys = cast(Sequence[Any], key if isinstance(key, list | tuple) else [key])
    names = [_variable(item, dotted) for item in keys if isinstance(item, str)]
    return [(f"the environment variable {name} is not set", name) for name in names if name and name not in os.environ]


def _variable(key: str, dotted: str) -> str | None:
    """The variable that a key stands for."""
    if key == "ENV":
        entry = entry_of(dotted)
        return entry.key_variable if entry else None
    if key.startswith("ENV:"):
        return key.removeprefix("ENV:")
    return key if is_variable_name(key) else None
