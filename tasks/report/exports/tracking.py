"""What experiment trackers are told of a run: for each model its settings and its scores."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.report.summary.numbers import section
from tasks.report.summary.scores import read_scores
from tasks.spec.secrets.redaction import redact
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import Pair, RunFolder


@dataclass(frozen=True)
class TrackedRun:
    """One model of a run."""

    key: str
    """The same whenever it is exported, so that nothing is there twice."""
    name: str
    group: str
    """The run folder's name."""
    settings: Mapping[str, Any]
    """The model's arguments without secrets, and `<dataset>.version`."""
    metrics: Mapping[str, float]
    """`<dataset>/<metric>`, `<dataset>/<metric>.stderr`, `<dataset>/samples`, `<dataset>/errors`."""


def tracked_runs(
    models: Sequence[ModelSpec], datasets: Sequence[DatasetSpec], folder: RunFolder, pairs: Collection[Pair]
) -> list[TrackedRun]:
    """One per model that has scores."""
    found: list[TrackedRun] = []
    for model in models:
        alone = model.model_copy(update={"summarizer_abbr": None})
        cells = {name: cell for (_, name), cell in read_scores([alone], datasets, folder, pairs).cells.items()}
        metrics: dict[str, float] = {}
        for dataset, cell in cells.items():
            metrics |= _metrics(dataset, cell.metrics, cell.own)
        if not metrics:
            continue
        settings = {"type": model.written_type, "max_out_len": model.max_out_len, **redact(dict(model.arguments))}
        versions = {f"{dataset.abbr}.version": dataset.version for dataset in datasets if cells[dataset.abbr].metrics}
        key = hashlib.sha256(f"{folder.root.absolute()}\n{model.abbr}".encode()).hexdigest()[:16]
        found.append(TrackedRun(key, model.abbr, folder.name, jsonable(settings) | versions, metrics))
    return found


def _metrics(dataset: str, metrics: Mapping[str, float], own: Mapping[str, Any]) -> dict[str, float]:
    if not metrics:
        return {}
    errors = section(own, "stderr")
    counts = {name: section(own, "samples").get(key) for name, key in (("samples", "n"), ("errors", "errors"))}
    return {
        **{f"{dataset}/{name}": value for name, value in metrics.items()},
        **{f"{dataset}/{name}.stderr": errors[name] for name in metrics if isinstance(errors.get(name), int | float)},
        **{f"{dataset}/{name}": float(count) for name, count in counts.items() if isinstance(count, int)},
    }
