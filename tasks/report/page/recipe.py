"""How every number came about: settings of models and datasets, fingerprints, versions, the saved configuration."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.report.summary.numbers import section
from tasks.report.summary.scores import Scores
from tasks.spec.secrets.redaction import redact
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import RunFolder, read_json


@dataclass(frozen=True)
class Recipe:
    """One model or dataset: facts in a line each, then its settings as JSON."""

    name: str
    facts: tuple[tuple[str, str], ...]
    settings: str


@dataclass(frozen=True)
class Recipes:
    """What it takes to get the same numbers again."""

    run: tuple[tuple[str, str], ...]
    datasets: tuple[Recipe, ...]
    models: tuple[Recipe, ...]
    configuration: str
    """The effective configuration of the newest invocation, without secrets; empty if none was saved."""


def read_recipes(folder: RunFolder, models: Sequence[ModelSpec], scores: Scores) -> Recipes:
    """From the run's files and its specs; secrets are left out."""
    invocations = _invocations(folder)
    newest = invocations[-1] if invocations else {}
    run = {
        "run folder": folder.name,
        "started": newest.get("started"),
        "configuration": newest.get("config"),
        "request": _json(newest["request"]) if newest.get("request") else None,
        "invocations": len(invocations) or None,
        **{f"version of {name}": version for name, version in _mapping(newest.get("versions")).items()},
    }
    return Recipes(
        _facts(run),
        tuple(_dataset(dataset, scores, _recorded(invocations, "data", dataset.abbr)) for dataset in scores.datasets),
        tuple(_model(model, _recorded(invocations, "models", model.abbr)) for model in models),
        _configuration(folder),
    )


def _dataset(dataset: DatasetSpec, scores: Scores, fingerprint: str | None) -> Recipe:
    facts = {
        "prompt version": dataset.version,
        "data fingerprint": fingerprint,
        "loader": dataset.written_type,
        "scored with": _scored_with(dataset, scores),
        "times each row is asked": dataset.n if dataset.n > 1 else None,
    }
    fields = {"reader", "arguments", "infer_cfg", "eval_cfg", "n", "k"}
    return Recipe(dataset.abbr, _facts(facts), _json(redact(dataset.model_dump(include=fields))))


def _scored_with(dataset: DatasetSpec, scores: Scores) -> str:
    """Versions of scorers and of their libraries, each set of them once."""
    versions = (section(scores.cell(model, dataset.abbr).own, "versions") for model in scores.models)
    return "; ".join(dict.fromkeys(", ".join(f"{k} {v}" for k, v in found.items()) for found in versions if found))


def _model(model: ModelSpec, identity: str | None) -> Recipe:
    facts = {"class": model.written_type, "identity": identity}
    left_out = {"abbr", "type", "written_type", "place"}
    values = model.model_dump(exclude=left_out, exclude_defaults=True)
    return Recipe(model.abbr, _facts(facts), _json(redact({"abbr": model.abbr, **values})))


def _configuration(folder: RunFolder) -> str:
    saved = folder.saved_config()
    return saved.read_text(encoding="utf-8", errors="replace") if saved else ""


def _invocations(folder: RunFolder) -> list[dict[str, Any]]:
    try:
        record = read_json(folder.run_file)
    except (OSError, ValueError):
        return []
    listed = record.get("invocations") if isinstance(record, dict) else None
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _recorded(invocations: Sequence[Mapping[str, Any]], kind: str, name: str) -> str | None:
    """What the newest invocation that knows it recorded."""
    return next((str(found) for i in reversed(invocations) if (found := _mapping(i.get(kind)).get(name))), None)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _facts(values: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in values.items() if value not in (None, ""))


def _json(value: Any) -> str:
    return json.dumps(jsonable(value), ensure_ascii=False, indent=2)
