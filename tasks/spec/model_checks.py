"""What can be wrong with a model beyond the names and types of its keys."""

import linecache
import os
import re
from collections.abc import Sequence
from typing import Any, cast

from tasks.spec.findings import Finding, FindingKind, Place
from tasks.spec.names.type_table import entry_of
from tasks.spec.secrets.names import is_variable_name
from tasks.spec.signatures import key_place
from tasks.spec.values import ConfigDict

_FAULT = re.compile(r"401|403|408|429|5\d\d")
_WITHOUT_EFFECT = {
    "fastchat_template": (
        "the chat template of the model's own tokenizer is used",
        "where it has none, put chat_template.jinja beside the weights",
    ),
    "use_fastchat_template": (
        "prompts are asked as they are",
        "take the class with `withChatTemplate` in its name, or describe the roles by meta_template",
    ),
}
"""Keys that OpenCompass's classes know, what happens instead, and what to do."""
_GETENV = re.compile(r"(?:getenv|environ\.get)\(\s*['\"](\w+)['\"]")


def model_findings(model: ConfigDict, dotted: str, path: str) -> list[Finding]:
    """Keys that cannot be had, and answers that would hide a fault; `path` is the key of the model (`models[0]`)."""
    return [
        *_key_findings(model, dotted, path),
        *_mapping_findings(model, path),
        *(
            Finding(f"{key} has no effect: {instead}", key_place(model, key, path), remedy, FindingKind.WARNING)
            for key, (instead, remedy) in _WITHOUT_EFFECT.items()
            if model.get(key)
        ),
    ]


def _key_findings(model: ConfigDict, dotted: str, path: str) -> list[Finding]:
    """A finding for each key of the model whose variable is not set, also for one that `os.getenv()` did not find."""
    return [
        Finding(message, key_place(model, name, path), f"export {variable}=…", FindingKind.MACHINE)
        for name in ("key", "api_key")
        if name in model
        for message, variable in _missing(model[name], model.place_of(name), dotted)
    ]


def _mapping_findings(model: ConfigDict, path: str) -> list[Finding]:
    """A warning where the text for a status code would stand in the predictions in place of a fault."""
    mappings = model.get("status_code_mappings")
    mapped = map(str, cast(dict[Any, Any], mappings)) if isinstance(mappings, dict) else ()
    codes = [code for code in mapped if _FAULT.fullmatch(code)]
    if not codes:
        return []
    message = f"status_code_mappings turns faults ({', '.join(codes)}) into answers that count as wrong"
    remedy = "map only codes with which the service refuses a prompt; these are retried or reported by themselves"
    return [Finding(message, key_place(model, "status_code_mappings", path), remedy, FindingKind.WARNING)]


def _missing(key: Any, place: Place, dotted: str) -> list[tuple[str, str]]:
    if key is None:
        match = _GETENV.search(linecache.getline(place.file, place.line) if place.file and place.line else "")
        variable = match[1] if match else "<the variable>"
        return [(f"the key is None: os.getenv() found no variable {match[1] if match else ''}".rstrip(), variable)]
    keys = cast(Sequence[Any], key if isinstance(key, list | tuple) else [key])
    variables = [_variables(item, dotted) for item in keys if isinstance(item, str)]
    return [
        (f"the environment variable {' or '.join(names)} is not set", names[-1])
        for names in variables
        if names and not any(name in os.environ for name in names)
    ]


def _variables(key: str, dotted: str) -> list[str]:
    """The variables that a key stands for, of which one must be set."""
    if key == "ENV":
        entry = entry_of(dotted)
        return entry.key_variable.split() if entry else []
    if key.startswith("ENV:"):
        return [key.removeprefix("ENV:")]
    return [key] if is_variable_name(key) else []
