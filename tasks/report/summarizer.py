"""The default summarizer: which rows the table has, and what stands in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from tasks.report.groups import Group, GroupResult, compute_group, parse_group
from tasks.report.scores import Scores, mode_of
from tasks.spec.findings import Finding, Place, UserError

NOTHING = "-"


@dataclass(frozen=True)
class TableCell:
    """One model's value in a row."""

    text: str
    reason: str = ""
    """Why it is empty, in words; empty itself for a value, and in rows that are text."""
    failed: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    dataset: str
    version: str
    metric: str
    mode: str
    cells: tuple[TableCell, ...]
    """One per model."""

    @property
    def texts(self) -> list[str]:
        return [self.dataset, self.version, self.metric, self.mode, *(cell.text for cell in self.cells)]


@dataclass(frozen=True)
class _Groups:
    """The results of all groups, by name and model."""

    results: Mapping[str, Mapping[str, GroupResult]]
    modes: Mapping[str, str]


class DefaultSummarizer:
    """Shows the metrics of datasets and of groups of datasets.

    An own summarizer derives from it and overrides `rows`.
    """

    def __init__(
        self,
        dataset_abbrs: Sequence[str | Sequence[str]] | None = None,
        summary_groups: Sequence[Mapping[str, Any]] = (),
        prompt_db: Any = None,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            dataset_abbrs: Rows in order: a dataset or group, `[name, metric]`, or any text; all of them where None.
            summary_groups: Dicts of `name`, `subsets` and optionally `weights`, `metric`, `std`, `sum`,
                `harmonic_mean`, `transforms`.
            prompt_db: Accepted for compatibility: it has no effect.
        """
        self.wanted = None if dataset_abbrs is None else [_wanted(entry, i) for i, entry in enumerate(dataset_abbrs)]
        self.groups = [parse_group(config, index) for index, config in enumerate(summary_groups)]
        self.prompt_db = prompt_db

    def rows(self, scores: Scores) -> list[Row]:
        """The rows of the table, one cell per model of `scores.models`."""
        groups = _compute(self.groups, scores)
        wanted = self.wanted if self.wanted is not None else _everything(scores, groups)
        return [_row(name, metric, scores, groups) for name, metric in wanted]


def _wanted(entry: Any, index: int) -> tuple[str, str | None]:
    if isinstance(entry, str):
        return entry, None
    if isinstance(entry, list | tuple) and len(entry) == 2 and all(isinstance(part, str) for part in entry):
        return entry[0], entry[1]
    message = f"a row is a text or a [dataset, metric] pair, not {entry!r}"
    raise UserError(Finding(message, Place(key=f"summarizer.dataset_abbrs[{index}]")))


def _compute(groups: Sequence[Group], scores: Scores) -> _Groups:
    results: dict[str, dict[str, GroupResult]] = {group.name: {} for group in groups}
    modes = {dataset.abbr: mode_of(dataset) for dataset in scores.datasets}
    for model in scores.models:
        values: dict[str, Mapping[str, float]] = {d.abbr: scores.cell(model, d.abbr).metrics for d in scores.datasets}
        for group in groups:
            results[group.name][model] = compute_group(group, values)
            values[group.name] = results[group.name][model].metrics
    for group in groups:
        found = {modes[name] for name, _ in group.subsets if name in modes}
        modes[group.name] = found.pop() if len(found) == 1 else "mixed"
    return _Groups(results, modes)


def _everything(scores: Scores, groups: _Groups) -> list[tuple[str, str | None]]:
    """All metrics of the datasets in order of the configuration, then the groups that concern any model."""
    wanted: list[tuple[str, str | None]] = []
    for dataset in scores.datasets:
        wanted += [(dataset.abbr, metric) for metric in scores.metrics_of(dataset.abbr) or [None]]
    for name, results in groups.results.items():
        metrics = dict.fromkeys(metric for result in results.values() for metric in result.metrics)
        concerned = not all(result.is_absent for result in results.values())
        wanted += [(name, metric) for metric in metrics] or ([(name, None)] if concerned else [])
    return wanted


def _row(name: str, metric: str | None, scores: Scores, groups: _Groups) -> Row:
    dataset = next((dataset for dataset in scores.datasets if dataset.abbr == name), None)
    if dataset is not None:
        known = scores.metrics_of(name)
        averaged = f"{metric} ({dataset.n} runs average)"
        metric = averaged if metric not in known and averaged in known else metric or next(iter(known), None)
        cells = tuple(_dataset_cell(scores, model, name, metric) for model in scores.models)
        return Row(name, dataset.version, metric or NOTHING, mode_of(dataset), cells)
    if name in groups.results:
        results = groups.results[name]
        metric = metric or next((m for model in scores.models for m in results[model].metrics), None)
        cells = tuple(_group_cell(results[model], metric) for model in scores.models)
        return Row(name, NOTHING, metric or NOTHING, groups.modes[name], cells)
    reason = "" if metric is None else "the run has no dataset or group of this name"
    return Row(name, NOTHING, NOTHING, NOTHING, tuple(TableCell(NOTHING, reason) for _ in scores.models))


def _dataset_cell(scores: Scores, model: str, dataset: str, metric: str | None) -> TableCell:
    cell = scores.cell(model, dataset)
    if not cell.metrics:
        return TableCell(NOTHING, cell.reason, cell.failed)
    return _value_cell(cell.metrics, metric)


def _group_cell(result: GroupResult, metric: str | None) -> TableCell:
    return _value_cell(result.metrics, metric) if result.metrics else TableCell(NOTHING, result.reason)


def _value_cell(metrics: Mapping[str, float], metric: str | None) -> TableCell:
    value = metrics.get(metric or "")
    if value is None:
        return TableCell(NOTHING, f"there is no metric {metric!r}; there are {', '.join(metrics)}")
    if not isfinite(value):
        return TableCell(NOTHING, f"{metric} is {value}", failed=True)
    return TableCell(f"{value:.2f}")
