"""Changes to a configuration from the command line: `--set models.0.temperature=0.2`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tasks.spec.config.key_values import parse_value
from tasks.spec.findings import Finding, Place, UserError, nearest
from tasks.spec.values import ConfigDict

FLAG = "--set"
_EVERY = "*"
_IMPLIED: dict[str, Any] = {
    "infer": {"partitioner": {}, "runner": {"task": {}}},
    "eval": {"partitioner": {}, "runner": {"task": {}}},
    "summarizer": {},
    "command_line": {},
}
"""Dicts that every configuration has, whether or not its file writes them."""
_NUMBER = re.compile(r"-?[0-9]{1,9}")


def override(values: ConfigDict, texts: Iterable[str]) -> ConfigDict:
    """The configuration with each `path=value` applied; what several entries share changes in the named one only.

    A step of the path is a key, the number or the `abbr` of a list's item, or `*` for all items. Every step but the
    last must exist; stages, their parts and the summarizer always do. UserError names the nearest valid step.
    """
    for text in texts:
        path, equals, value = text.partition("=")
        if not equals or not path.strip():
            raise UserError(Finding(f"{FLAG}: {text!r} is not PATH=VALUE", remedy="e.g. models.0.temperature=0.2"))
        values = _changed(values, path.strip().split("."), parse_value(value), path.strip(), _IMPLIED)
    return values


def _changed(node: Any, steps: Sequence[str], value: Any, path: str, implied: Mapping[str, Any]) -> Any:
    step, *rest = steps
    if isinstance(node, Mapping):
        if rest and step not in node and step not in implied:
            raise _no_step(step, dict.fromkeys([*map(str, node), *implied]), path)
        inside = ConfigDict() if node.get(step) is None else node[step]
        new = _changed(inside, rest, value, path, implied.get(step, {})) if rest else value
        config = node if isinstance(node, ConfigDict) else ConfigDict(node)
        return config | ConfigDict.placed({step: new}, config.place, {} if rest else {step: (f"{FLAG} {path}", None)})
    if isinstance(node, list | tuple):
        chosen = _indices(node, step, path)
        items = [
            item if index not in chosen else _changed(item, rest, value, path, {}) if rest else value
            for index, item in enumerate(node)
        ]
        return type(node)(items)
    raise UserError(Finding(f"there is nothing inside a {type(node).__name__} to change at {step!r}", _place(path)))


def _indices(items: Sequence[Any], step: str, path: str) -> set[int]:
    if step == _EVERY:
        return set(range(len(items)))
    if _NUMBER.fullmatch(step) and -len(items) <= int(step) < len(items):
        return {int(step) % len(items)}
    names = [item.get("abbr") if isinstance(item, Mapping) else None for item in items]
    chosen = {index for index, name in enumerate(names) if name == step}
    if not chosen:
        valid = [*map(str, range(len(items))), *(str(name) for name in names if name)]
        raise _no_step(step, valid, path)
    return chosen


def _no_step(step: str, valid: Iterable[str], path: str) -> UserError:
    return UserError(Finding(f"there is no {step!r} here", _place(path), nearest(step, valid)))


def _place(path: str) -> Place:
    return Place(file=FLAG, key=path)
