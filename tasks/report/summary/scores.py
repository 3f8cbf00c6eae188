"""What the results files of a run say, cell by cell, and why a cell has nothing to say."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tasks.infer.pair_state import PairState, read_state
from tasks.report.result_metrics import numeric_metrics
from tasks.report.summary.opencompass_certainty import told_by_details
from tasks.score.files.results import OWN_KEY, read_results
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder
from tasks.spec.subjective import is_judged


@dataclass(frozen=True)
class Cell:
    """The score of one model on one dataset."""

    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    """In the order in which they are shown; empty if there is no score."""
    reason: str = ""
    """Why there is no score, in words."""
    failed: bool = False
    """Whether something went wrong, rather than not having happened yet."""
    complete: bool = True
    """False while the inference of the pair is unfinished."""
    is_wanted: bool = True
    """False for a pair that is not part of the run."""
    is_stale: bool = False
    """Whether the predictions changed after they were scored."""
    own: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The results file's section of this system; in files of OpenCompass what their details tell of it."""
    raw: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The results file without details."""
    path: Path | None = None
    """The results file."""


@dataclass(frozen=True)
class Scores:
    """All cells of a run, by the names that columns and rows have."""

    models: tuple[str, ...]
    """Names of the columns."""
    datasets: tuple[DatasetSpec, ...]
    cells: Mapping[tuple[str, str], Cell]
    """By column and dataset abbreviation."""

    @property
    def is_partial(self) -> bool:
        """Whether anything that did not fail is still to come."""
        wanted = [cell for cell in self.cells.values() if cell.is_wanted and not cell.failed]
        return any(not cell.complete or not cell.metrics for cell in wanted)

    @cached_property
    def _by_abbr(self) -> dict[str, DatasetSpec]:
        return {dataset.abbr: dataset for dataset in self.datasets}

    def dataset(self, abbr: str) -> DatasetSpec | None:
        return self._by_abbr.get(abbr)

    def cell(self, model: str, dataset: str) -> Cell:
        return self.cells[model, dataset]

    def metrics_of(self, dataset: str) -> list[str]:
        """All metrics that any model has for the dataset, in order of first sight."""
        return list(dict.fromkeys(name for model in self.models for name in self.cell(model, dataset).metrics))


def read_scores(
    models: Sequence[ModelSpec],
    datasets: Sequence[DatasetSpec],
    folder: RunFolder,
    pairs: Collection[Pair] | None = None,
) -> Scores:
    """Reads every cell; models of one `summarizer_abbr` share a column. `pairs`, if given, are those of the run."""
    columns: dict[str, list[ModelSpec]] = {}
    for model in models:
        columns.setdefault(model.summarizer_abbr or model.abbr, []).append(model)
    cells = {
        (column, dataset.abbr): _best([_cell(model.abbr, dataset, folder, pairs) for model in members])
        for column, members in columns.items()
        for dataset in datasets
    }
    return Scores(tuple(columns), tuple(datasets), cells)


def mode_of(dataset: DatasetSpec) -> str:
    """`gen`, `ppl`, `ll`, `clp`, or `unknown`, from the inferencer."""
    name = str(dataset.inferencer.get("type", "")).rpartition(".")[2]
    if name.startswith(("Gen", "Chat")):
        return "gen"
    return {"PPLInferencer": "ppl", "LLInferencer": "ll", "CLPInferencer": "clp"}.get(name, "unknown")


def _best(cells: list[Cell]) -> Cell:
    """Of the models that share a column, the first with a score, else the first that failed, else the first."""
    scored = next((cell for cell in cells if cell.metrics), None)
    return scored or next((cell for cell in cells if cell.failed), cells[0])


def _cell(model: str, dataset: DatasetSpec, folder: RunFolder, pairs: Collection[Pair] | None) -> Cell:
    pair = Pair(model, dataset.abbr)
    if not is_judged(dataset, model):
        return Cell(reason="not judged: others are compared with it", is_wanted=False)
    if pairs is not None and pair not in pairs:
        return Cell(reason="not part of this run", is_wanted=False)
    infer, evaluation = read_state(folder, "infer", pair), read_state(folder, "eval", pair)
    complete = infer is None or infer.status == "done"
    if infer is not None and infer.status == "fail":
        return Cell(reason=_with_stage("inference failed", infer.reason), failed=True, complete=False)
    if evaluation is not None and evaluation.status == "fail":
        return Cell(reason=_with_stage("scoring failed", evaluation.reason), failed=True, complete=complete)
    path = folder.results(pair)
    if not path.is_file():
        return Cell(reason=_not_scored(pair, folder, infer, evaluation), complete=complete)
    try:
        results = read_results(path)
    except (OSError, ValueError) as error:
        return Cell(reason=f"the results file cannot be read: {error}", failed=True, complete=complete)
    if "error" in results:
        return Cell(
            reason=_with_stage("scoring failed", str(results["error"])), failed=True, complete=complete, raw=results
        )
    metrics = numeric_metrics(results)
    reason = "" if metrics else "the results hold no number"
    own = results.get(OWN_KEY)
    return Cell(
        metrics,
        reason,
        failed=not metrics,
        complete=complete,
        is_stale=isinstance(own, dict) and _is_newer(folder.predictions(pair), path),
        own=own if isinstance(own, dict) else told_by_details(folder, pair),
        raw=results,
        path=path,
    )


def _is_newer(predictions: Path, results: Path) -> bool:
    return predictions.is_file() and predictions.stat().st_mtime_ns > results.stat().st_mtime_ns


def _with_stage(stage: str, reason: str) -> str:
    """The reason, which may tell its stage already."""
    if not reason:
        return stage
    return reason if reason.startswith(("inference ", "scoring ", "partial")) else f"{stage}: {reason}"


def _not_scored(pair: Pair, folder: RunFolder, infer: PairState | None, evaluation: PairState | None) -> str:
    if infer is not None and infer.status != "done":
        if infer.completed:
            because = f" ({infer.reason})" if infer.status == "pending" and infer.reason else ""
            return f"partial: {infer.completed} of {infer.total}{because}"
        return "inference is running" if infer.status == "running" else "inference has not started"
    if evaluation is not None and evaluation.status == "running":
        return "scoring is running"
    has_predictions = infer is not None or folder.predictions(pair).is_file() or _first_shard(pair, folder)
    return "not scored yet" if has_predictions else "nothing has been asked yet"


def _first_shard(pair: Pair, folder: RunFolder) -> bool:
    whole = folder.predictions(pair)
    return whole.with_name(f"{whole.name.removesuffix('.json')}_0.json").is_file()
