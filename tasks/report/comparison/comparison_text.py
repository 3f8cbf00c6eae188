"""How a comparison looks: as text, Markdown, CSV and JSON."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tasks.report.comparison.comparison import Comparison, DatasetScores, Difference, mean_scores, wins
from tasks.report.stats.detectable_difference import smallest_difference
from tasks.report.stats.interval import LEVEL
from tasks.report.summary.layout import aligned, listed, markdown, quoted_csv
from tasks.report.summary.summarizer import NOTHING

_BEST = "*"
_DIFFERENCES = (
    "dataset", "metric", "model", "difference", "95% CI", "p", "p (Holm)", "rows", "worse on", "better on",
    "detectable",
)  # fmt: skip
LEGEND = (
    f"{_BEST} marks the best, and what the data do not distinguish from it; (2) is the rank: one more than the number "
    "of models that are better beyond chance."
)


class Table(NamedTuple):
    """A table with its title."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    left: int
    """How many columns are texts."""


def tables(comparison: Comparison, patterns: Sequence[str] = ()) -> list[Table]:
    """Scores with ranks, wins, and the differences from the baseline; empty tables are left out."""
    names = list(comparison.contestants)
    scores = [_scores_row(found, names) for found in comparison.datasets]
    scores += [
        [f"mean ({pattern})", metric, *(f"{means[name]:.2f}" for name in names)]
        for pattern in ("*", *patterns)
        for metric, means in mean_scores(comparison, pattern).items()
    ]
    won = [[name, str(first), str(alone)] for name, (first, alone) in wins(comparison).items()]
    found = [
        Table("Scores", ["dataset", "metric", *names], scores, 2),
        Table("Wins", ["model", "best or not distinguishable", "best alone"], won, 1),
        Table(f"Differences from {comparison.baseline}", list(_DIFFERENCES), _rows(comparison.differences), 3),
        Table(f"Mean differences from {comparison.baseline}", list(_DIFFERENCES), _rows(comparison.means), 3),
    ]
    return [table for table in found if table.rows]


def notes(comparison: Comparison) -> list[str]:
    """What could not be compared, and why."""
    return [f"{found.dataset}: {note}" for found in comparison.datasets for note in found.notes]


def as_text(comparison: Comparison, patterns: Sequence[str] = ()) -> str:
    """For a console."""
    parts = [
        f"{table.title}\n{aligned(table.columns, table.rows, left=table.left)}"
        for table in tables(comparison, patterns)
    ]
    parts.append(LEGEND)
    found = notes(comparison)
    return "\n\n".join([*parts, *([f"Notes:\n{listed(found)}"] if found else [])])


def as_markdown(comparison: Comparison, patterns: Sequence[str] = ()) -> str:
    """One section per table."""
    parts = [
        f"## {table.title}\n\n{markdown(table.columns, table.rows, left=table.left)}"
        for table in tables(comparison, patterns)
    ]
    found = notes(comparison)
    return (
        "\n\n".join([*parts, LEGEND.replace(_BEST, r"\*"), *([f"## Notes\n\n{listed(found)}"] if found else [])]) + "\n"
    )


def as_csv(comparison: Comparison, patterns: Sequence[str] = ()) -> str:
    """The first table, with its ranks."""
    scores = tables(comparison, patterns)[0]
    return quoted_csv(scores.columns, scores.rows)


def as_json(comparison: Comparison) -> dict[str, Any]:
    """All numbers, not rounded."""
    return {
        "models": list(comparison.contestants),
        "baseline": comparison.baseline,
        "datasets": [
            {
                "dataset": found.dataset,
                "metric": found.metric,
                "scores": dict(found.scores),
                "ranks": {name: rank.rank for name, rank in found.ranks.items()},
                "tied": {name: list(rank.tied_with) for name, rank in found.ranks.items()},
                "notes": list(found.notes),
            }
            for found in comparison.datasets
        ],
        "differences": [_difference_json(difference) for difference in comparison.differences],
        "means": [_difference_json(difference) for difference in comparison.means],
        "wins": {name: {"first": first, "alone": alone} for name, (first, alone) in wins(comparison).items()},
    }


def _scores_row(found: DatasetScores, names: Sequence[str]) -> list[str]:
    leaders = {name for name, rank in found.ranks.items() if rank.rank == 1}
    cells: list[str] = []
    for name in names:
        score, rank = found.scores.get(name), found.ranks.get(name)
        text = NOTHING if score is None else f"{score:.2f}"
        if rank is not None and len(found.ranks) > 1:
            text += f" ({rank.rank}){_BEST if name in leaders else ' '}"
        cells.append(text)
    return [found.dataset, found.metric, *cells]


def _rows(differences: Sequence[Difference]) -> list[list[str]]:
    return [list(_difference_row(difference)) for difference in differences]


def _difference_row(difference: Difference) -> Iterator[str]:
    found, scale = difference.comparison, difference.scale
    yield from (difference.dataset, difference.metric, difference.contestant)
    yield f"{scale * found.difference:+.2f}" + (_BEST if difference.adjusted < 1 - LEVEL else " ")
    interval = found.interval and found.interval.scaled(scale)
    yield NOTHING if interval is None else f"{interval.low:+.2f} to {interval.high:+.2f}"
    yield from (f"{found.p_value:.3g}", f"{difference.adjusted:.3g}")
    yield from map(str, (found.n, found.only_first, found.only_second))
    yield f"{scale * smallest_difference(found.stderr):.2f}"


def _difference_json(difference: Difference) -> dict[str, Any]:
    found, scale = difference.comparison, difference.scale
    interval = found.interval and found.interval.scaled(scale)
    return {
        "dataset": difference.dataset,
        "metric": difference.metric,
        "model": difference.contestant,
        "difference": scale * found.difference,
        "interval": interval and [interval.low, interval.high],
        "p": found.p_value,
        "p_holm": difference.adjusted,
        "method": found.method,
        "rows": found.n,
        "worse_on": found.only_first,
        "better_on": found.only_second,
        "detectable": scale * smallest_difference(found.stderr),
    }
