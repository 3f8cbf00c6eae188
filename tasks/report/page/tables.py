"""The tables of the page: scores, the heat map, what failed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from tasks.report.page.charts import BarGroup
from tasks.report.page.columns import PairColumns
from tasks.report.summary.groups import Group
from tasks.report.summary.numbers import Number, dataset_number, group_number
from tasks.report.summary.scores import Scores
from tasks.report.summary.summarizer import NOTHING, Groups, Row, TableCell, compute_groups
from tasks.report.summary.summary import EmptyCell

HEAT_STEPS = 10


@dataclass(frozen=True)
class ScoreRow:
    """One row of the overview."""

    dataset: str
    version: str
    metric: str
    mode: str
    cells: tuple[TableCell, ...]
    recipe: int | None
    """Number of the dataset's recipe; None for groups and texts."""


@dataclass(frozen=True)
class HeatRow:
    """One dataset of the heat map: texts, and how far each is up the scale, from 0 on; None for no number."""

    dataset: str
    metric: str
    cells: tuple[tuple[str, int | None], ...]


@dataclass(frozen=True)
class Failure:
    """A pair without a number, or samples without an answer."""

    model: str
    dataset: str
    what: str
    reason: str


def overview(rows: Sequence[Row], scores: Scores) -> list[ScoreRow]:
    """The summary's rows, each with the place of its recipe."""
    recipes = {dataset.abbr: number for number, dataset in enumerate(scores.datasets)}
    return [
        ScoreRow(row.dataset, row.version, row.metric, row.mode, row.cells, recipes.get(row.dataset)) for row in rows
    ]


def heat_map(scores: Scores) -> list[HeatRow]:
    """First metric of each dataset by model; a scale of 0 to 100, or of the row where a number is outside."""
    return [_heat_row(dataset.abbr, scores) for dataset in scores.datasets if scores.metrics_of(dataset.abbr)]


def _heat_row(dataset: str, scores: Scores) -> HeatRow:
    metric = scores.metrics_of(dataset)[0]
    values = [_finite(scores.cell(model, dataset).metrics.get(metric)) for model in scores.models]
    known = [value for value in values if value is not None] or [0.0]
    low, high = (0.0, 100.0) if min(known) >= 0 and max(known) <= 100 else (min(known), max(known))
    cells = tuple((NOTHING, None) if value is None else (f"{value:.2f}", _step(value, low, high)) for value in values)
    return HeatRow(dataset, metric, cells)


def _step(value: float, low: float, high: float) -> int:
    share = (value - low) / (high - low) if high > low else 0.0
    return min(HEAT_STEPS - 1, int(share * HEAT_STEPS))


def bar_groups(groups: Sequence[Group], scores: Scores) -> list[BarGroup]:
    """The members of each summary group, all datasets where there are none; groups without numbers are left out."""
    results = compute_groups(groups, scores)
    members = {group.name: group.subsets for group in groups}
    members = members or {"All datasets": tuple((dataset.abbr, None) for dataset in scores.datasets)}
    found = [_bar_group(name, subsets, scores, results) for name, subsets in members.items()]
    return [group for group in found if group.numbers]


def _bar_group(name: str, subsets: Sequence[tuple[str, str | None]], scores: Scores, groups: Groups) -> BarGroup:
    numbers: dict[tuple[str, str], Number] = {}
    labels = tuple(name if metric is None else f"{name} {metric}" for name, metric in subsets)
    for model in scores.models:
        for label, (member, metric) in zip(labels, subsets, strict=True):
            number = _number(model, member, metric, scores, groups)
            if number is not None:
                numbers[model, label] = number
    models = tuple(model for model in scores.models if any((model, label) in numbers for label in labels))
    return BarGroup(name, labels, models, numbers)


def _number(model: str, member: str, metric: str | None, scores: Scores, groups: Groups) -> Number | None:
    if member in groups.results:
        result = groups.results[member][model]
        metric = metric or next(iter(result.metrics), "")
        value = _finite(result.metrics.get(metric))
        return None if value is None else group_number(value, result.parts.get(metric), ())
    cell = scores.cells.get((model, member))
    metric = metric or (next(iter(cell.metrics), "") if cell else "")
    return dataset_number(cell, metric) if cell and _finite(cell.metrics.get(metric)) is not None else None


def _finite(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def failures(empty: Sequence[EmptyCell], samples: Iterable[PairColumns]) -> list[Failure]:
    """Why cells have no number, then why samples have no answer, the most frequent reason first."""
    cells = [Failure(cell.model, cell.dataset, "failed" if cell.failed else "no number", cell.reason) for cell in empty]
    return [*cells, *(failure for columns in samples for failure in _sample_failures(columns))]


def _sample_failures(samples: PairColumns) -> Iterator[Failure]:
    if samples.unreadable:
        yield Failure(*samples.pair, "cannot be read", samples.unreadable)
    for reason, count in samples.reasons():
        yield Failure(*samples.pair, f"{count:,} of {len(samples):,} samples without an answer", reason)
