"""The default summarizer: which rows the table has, and what stands in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from tasks.report.stats.mixtures import Means
from tasks.report.summary.groups import Group, GroupResult, compute_group, parse_group
from tasks.report.summary.numbers import Number, dataset_number, group_number, means_of
from tasks.report.summary.scores import Scores, mode_of
from tasks.spec.findings import Finding, Place, UserError, closest, did_you_mean, nearest

NOTHING = "-"
_LIKELY = 0.85
"""Likeness of a text to a name from which on it may be that name."""
SUBJECTIVE = "subjective"
FORMATS = ("latex", "xlsx")
"""What a summary is written as besides text, CSV, Markdown and JSON, where it is asked for."""


@dataclass(frozen=True)
class TableCell:
    """One model's value in a row."""

    text: str
    reason: str = ""
    """Why it is empty, in words; empty itself for a value, and in rows that are text."""
    failed: bool = False
    number: Number | None = None
    """What the text shows; None in an empty cell, and where a summarizer of a user's own does not tell."""


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


class Column(NamedTuple):
    """One column of numbers."""

    model: str
    label: str = ""
    """What it shows of the model, for a second line of headings; empty where there is none."""

    @property
    def name(self) -> str:
        return f"{self.model} {self.label}" if self.label else self.model


@dataclass(frozen=True)
class Groups:
    """The results of all groups, by name and model."""

    results: Mapping[str, Mapping[str, GroupResult]]
    modes: Mapping[str, str]
    parts: Mapping[str, Sequence[str]]
    """The datasets that each group is made of."""


class DefaultSummarizer:
    """Shows the metrics of datasets and of groups of datasets.

    An own summarizer derives from it and overrides `rows`, and `columns` or `files` if it needs to.
    """

    def __init__(
        self,
        dataset_abbrs: Sequence[str | Sequence[str]] | None = None,
        summary_groups: Sequence[Mapping[str, Any]] = (),
        prompt_db: Any = None,
        formats: Sequence[str] = (),
        function: str | None = None,
        mixed: bool = False,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            dataset_abbrs: Rows in order: a dataset or group, `[name, metric]`, or any text; all of them where None.
            summary_groups: Dicts of `name`, `subsets` and optionally `weights`, `metric`, `std`, `sum`,
                `harmonic_mean`, `transforms`, `mixed`.
            prompt_db: Accepted for compatibility: it has no effect.
            formats: Further files: `latex`, `xlsx`.
            function: Dotted path of a function from rows and scores to rows, e.g. to leave some out; `subjective`
                is accepted for compatibility: what is judged is known from the datasets.
            mixed: Whether groups put different metrics together, instead of saying that they do not mix.
        """
        self.wanted = None if dataset_abbrs is None else [_wanted(entry, i) for i, entry in enumerate(dataset_abbrs)]
        self.groups = [
            parse_group({"mixed": mixed, **config}, index) for index, config in enumerate(summary_groups or ())
        ]
        self.prompt_db = prompt_db
        self.formats = _formats(formats)
        self.function = function

    def columns(self, scores: Scores) -> Sequence[Column]:
        """The columns behind dataset, version, metric and mode."""
        return [Column(model) for model in scores.models]

    def rows(self, scores: Scores) -> list[Row]:
        """The rows of the table, one cell per column."""
        groups = compute_groups(self.groups, scores)
        wanted = self.wanted if self.wanted is not None else _everything(scores, groups)
        return [row_of(name, metric, scores, groups) for name, metric in wanted]

    def files(self, scores: Scores) -> Mapping[str, str]:
        """Texts of further files by their names in the folder `summary_<time>`."""
        return {}

    def remarks(self, scores: Scores) -> list[str]:
        """What the reader should know: groups that average different metrics, and texts that may be misspelt names."""
        results = compute_groups(self.groups, scores).results
        mixtures = {(name, r.mixture): None for name, models in results.items() for r in models.values() if r.mixture}
        known = [*(dataset.abbr for dataset in scores.datasets), *results]
        texts = [name for name, metric in self.wanted or () if metric is None and name not in known]
        likely = [(text, close) for text in texts if (close := closest(text, known, 1, _LIKELY))]
        return [
            *(f"{name} averages different metrics: {mixture}" for name, mixture in mixtures),
            *(f"the row {text!r} is taken for a text; {did_you_mean(close)}" for text, close in likely),
        ]


def _wanted(entry: Any, index: int) -> tuple[str, str | None]:
    if isinstance(entry, str):
        return entry, None
    if isinstance(entry, list | tuple) and len(entry) == 2 and all(isinstance(part, str) for part in entry):
        return entry[0], entry[1]
    message = f"a row is a text or a [dataset, metric] pair, not {entry!r}"
    raise UserError(Finding(message, Place(key=f"summarizer.dataset_abbrs[{index}]")))


def _formats(formats: Sequence[str]) -> tuple[str, ...]:
    wrong = next((name for name in formats if name not in FORMATS), None)
    if wrong is not None:
        remedy = nearest(str(wrong), FORMATS)
        raise UserError(Finding(f"there is no format {wrong!r}", Place(key="summarizer.formats"), remedy))
    return tuple(formats)


def compute_groups(groups: Sequence[Group], scores: Scores) -> Groups:
    """The results of all groups for all models; a group may use earlier ones."""
    results: dict[str, dict[str, GroupResult]] = {group.name: {} for group in groups}
    modes = {dataset.abbr: mode_of(dataset) for dataset in scores.datasets}
    for model in scores.models:
        cells = {dataset.abbr: scores.cell(model, dataset.abbr) for dataset in scores.datasets}
        values: dict[str, Mapping[str, float]] = {name: cell.metrics for name, cell in cells.items()}
        means: dict[str, Means] = {name: means_of(cell) for name, cell in cells.items()}
        for group in groups:
            result = compute_group(group, values, means)
            results[group.name][model] = result
            values[group.name], means[group.name] = result.metrics, result.parts
    for group in groups:
        found = {modes[name] for name, _ in group.subsets if name in modes}
        modes[group.name] = found.pop() if len(found) == 1 else "mixed"
    parts: dict[str, list[str]] = {}
    for group in groups:
        flat = [part for name, _ in group.subsets for part in parts.get(name, [name])]
        parts[group.name] = list(dict.fromkeys(flat))
    return Groups(results, modes, parts)


def _everything(scores: Scores, groups: Groups) -> list[tuple[str, str | None]]:
    """All metrics of the datasets in order of the configuration, then the groups that concern any model."""
    wanted: list[tuple[str, str | None]] = []
    for dataset in scores.datasets:
        wanted += [(dataset.abbr, metric) for metric in scores.metrics_of(dataset.abbr) or [None]]
    for name, results in groups.results.items():
        metrics = dict.fromkeys(metric for result in results.values() for metric in (*result.refused, *result.metrics))
        concerned = not all(result.is_absent for result in results.values())
        wanted += [(name, metric) for metric in metrics] or ([(name, None)] if concerned else [])
    return wanted


def row_of(name: str, metric: str | None, scores: Scores, groups: Groups) -> Row:
    """The row of a dataset or a group, of its first metric where none is named; a name of neither is a text."""
    dataset = scores.dataset(name)
    if dataset is not None:
        known = scores.metrics_of(name)
        averaged = f"{metric} ({dataset.n} runs average)"
        metric = averaged if metric not in known and averaged in known else metric or next(iter(known), None)
        cells = tuple(_dataset_cell(scores, model, name, metric) for model in scores.models)
        return Row(name, dataset.version, metric or NOTHING, mode_of(dataset), cells)
    if name in groups.results:
        results = groups.results[name]
        named = (m for model in scores.models for m in (*results[model].refused, *results[model].metrics))
        metric = metric or next(named, None)
        parts = groups.parts[name]
        cells = tuple(_group_cell(scores, model, results[model], metric, parts) for model in scores.models)
        return Row(name, NOTHING, metric or NOTHING, groups.modes[name], cells)
    reason = "" if metric is None else "the run has no dataset or group of this name"
    return Row(name, NOTHING, NOTHING, NOTHING, tuple(TableCell(NOTHING, reason) for _ in scores.models))


def _dataset_cell(scores: Scores, model: str, dataset: str, metric: str | None) -> TableCell:
    cell = scores.cell(model, dataset)
    if not cell.metrics:
        return TableCell(NOTHING, cell.reason, cell.failed)
    return _lacking(cell.metrics, metric) or number_cell(dataset_number(cell, metric or ""))


def _group_cell(scores: Scores, model: str, result: GroupResult, metric: str | None, parts: Sequence[str]) -> TableCell:
    if (metric or "") in result.refused:
        return TableCell(NOTHING, result.refused[metric or ""])
    if not result.metrics:
        return TableCell(NOTHING, result.reason or next(iter(result.refused.values()), ""))
    cells = [scores.cell(model, part) for part in parts if scores.dataset(part) is not None]
    name = metric or ""
    lacking = _lacking(result.metrics, metric)
    return lacking or number_cell(group_number(result.metrics[name], result.parts.get(name), cells))


def number_cell(number: Number) -> TableCell:
    """The cell that shows a number."""
    return TableCell(f"{number.value:.2f}", number=number)


def _lacking(metrics: Mapping[str, float], metric: str | None) -> TableCell | None:
    """The cell of a metric that is missing or no finite number."""
    value = metrics.get(metric or "")
    if value is None:
        return TableCell(NOTHING, f"there is no metric {metric!r}; there are {', '.join(metrics)}")
    return None if isfinite(value) else TableCell(NOTHING, f"{metric} is {value}", failed=True)
