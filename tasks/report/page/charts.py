"""Which figures the page has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi
from typing import TYPE_CHECKING, Any

from tasks.report.page.figures import MARKERS, TEXT, Drawing, bar_style, colour, draw, line_style, shortened
from tasks.report.summary.numbers import Number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_MODELS = 8
"""More are not told apart in one figure."""
MOST_BARS = 30
_RADAR = range(3, 17)
_POINTS = 200
_WIDTH = 6.8
"""Inches; two figures stand side by side on most screens."""


@dataclass(frozen=True)
class BarGroup:
    """The datasets of a summary group, or all of them."""

    name: str
    labels: tuple[str, ...]
    models: tuple[str, ...]
    numbers: Mapping[tuple[str, str], Number]
    """By model and label."""


def group_drawings(group: BarGroup) -> list[Drawing]:
    """Bars with intervals, and a radar where there are neither too few nor too many datasets."""
    models, labels = group.models[:MOST_MODELS], group.labels[:MOST_BARS]
    left_out = _left_out(len(group.models) - len(models), "models") + _left_out(
        len(group.labels) - len(labels), "datasets"
    )
    text = f"Bars of {', '.join(models)} on {', '.join(labels)}{left_out}; the table above has the numbers."
    height = 1.1 + len(labels) * (0.18 + 0.2 * len(models))
    title = f"{group.name}{left_out}"
    drawings = [draw(title, text, (_WIDTH, height), lambda axes: _bars(axes, group, models, labels))]
    least = min(number.value for number in group.numbers.values())
    if len(labels) in _RADAR and len(labels) == len(group.labels) and least >= 0:
        text = f"The same numbers, one axis per dataset: {', '.join(labels)}."
        paint = lambda axes: _radar(axes, group, models)  # noqa: E731
        drawings.append(draw(f"{title}: profile", text, (6.4, 5.2), paint, projection="polar"))
    return drawings


def amount_drawing(title: str, unit: str, measured: Mapping[str, Sequence[float]]) -> Drawing | None:
    """Which share of each model's samples takes at most so much; None where nothing was measured."""
    known = {model: column for model, column in measured.items() if len(column) > 1}
    if not known:
        return None
    values = {model: sorted(known[model]) for model in list(known)[:MOST_MODELS]}
    title += _left_out(len(known) - len(values), "models")
    medians = "; ".join(f"{model} {column[len(column) // 2]:.4g}" for model, column in values.items())
    text = f"Share of samples with at most so many {unit}, by model. Medians: {medians}."
    return draw(title, text, (_WIDTH, 3.6), lambda axes: _shares(axes, unit, values))


def total_drawing(title: str, unit: str, totals: Mapping[str, Mapping[str, float]]) -> Drawing | None:
    """Stacked bars of sums per model, e.g. tokens in and out; None where nothing was counted."""
    if not any(value for kinds in totals.values() for value in kinds.values()):
        return None
    shown = {model: totals[model] for model in list(totals)[:MOST_BARS]}
    title += _left_out(len(totals) - len(shown), "models")
    told = "; ".join(f"{m}: {', '.join(f'{k} {v:,.4g}' for k, v in kinds.items())}" for m, kinds in shown.items())
    text = f"{unit} by model. {told}."
    return draw(title, text, (_WIDTH, 1.2 + 0.4 * len(shown)), lambda axes: _stacked(axes, unit, shown))


def _bars(axes: "Axes", group: BarGroup, models: Sequence[str], labels: Sequence[str]) -> None:
    width = 0.8 / len(models)
    for number, model in enumerate(models):
        numbers = [group.numbers.get((model, label)) for label in labels]
        places = [index + (number + 0.5) * width - 0.4 for index in range(len(labels))]
        values = [shown.value if shown else 0 for shown in numbers]
        axes.barh(places, values, width * 0.9, label=shortened(model), **bar_style(number))
        for place, shown in zip(places, numbers, strict=True):
            if shown is not None and shown.interval is not None:
                ends = [shown.interval.low, shown.interval.high]
                axes.plot(ends, [place, place], color=TEXT, linewidth=1.2, marker="|", markersize=5)
    axes.set_yticks(range(len(labels)), [shortened(label) for label in labels])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    _legend_below(axes)


def _radar(axes: "Axes", group: BarGroup, models: Sequence[str]) -> None:
    angles = [2 * pi * index / len(group.labels) for index in range(len(group.labels))]
    for number, model in enumerate(models):
        values = [shown.value if (shown := group.numbers.get((model, label))) else 0 for label in group.labels]
        style: dict[str, Any] = line_style(number) | {"marker": MARKERS[number % len(MARKERS)]}
        axes.plot([*angles, angles[0]], [*values, values[0]], label=shortened(model), **style)
        axes.fill(angles, values, color=colour(number), alpha=0.08)
    axes.set_xticks(angles, [shortened(label, 18) for label in group.labels])
    axes.tick_params(axis="x", pad=14)
    _legend_below(axes)


def _shares(axes: "Axes", unit: str, values: Mapping[str, Sequence[float]]) -> None:
    for number, (model, column) in enumerate(values.items()):
        places = [index * (len(column) - 1) // (_POINTS - 1) for index in range(_POINTS)]
        shares = [100 * (place + 1) / len(column) for place in places]
        axes.plot([column[place] for place in places], shares, label=shortened(model), **line_style(number))
    if all(column[0] > 0 for column in values.values()):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter("")
    axes.set_xlabel(unit)
    axes.set_ylabel("% of samples")
    axes.set_ylim(0, 101)
    axes.legend(loc="lower right")


def _stacked(axes: "Axes", unit: str, totals: Mapping[str, Mapping[str, float]]) -> None:
    kinds = list(dict.fromkeys(kind for amounts in totals.values() for kind in amounts))
    left = [0.0] * len(totals)
    for number, kind in enumerate(kinds):
        sizes = [amounts.get(kind, 0.0) for amounts in totals.values()]
        axes.barh(range(len(totals)), sizes, 0.6, left=left, label=kind, **bar_style(number))
        left = [before + size for before, size in zip(left, sizes, strict=True)]
    axes.set_yticks(range(len(totals)), [shortened(name) for name in totals])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(unit)
    if len(kinds) > 1:
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(kinds))


def _legend_below(axes: "Axes") -> None:
    axes.figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)


def _left_out(count: int, what: str) -> str:
    return f" ({count} further {what} are not drawn)" if count > 0 else ""
