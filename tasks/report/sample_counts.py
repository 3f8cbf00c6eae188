"""The second table of a summary: how certain each score is, what it is made of and what it took."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tasks.report.scores import Cell, Scores
from tasks.report.spent import Prices, Spent, dollars, spent_on
from tasks.report.summarizer import NOTHING

_COUNTS = ("n", "errors", "truncated", "filtered", "refused", "empty", "unparsed", "ambiguous")
COLUMNS = (
    "model", "dataset", "metric", "score", "stderr", "strict", *_COUNTS, "guessed",
    "tokens in", "tokens out", "dollars", "s/answer",
)  # fmt: skip
"""`strict` leaves out answers that guessing rules found, `guessed` counts them; `s/answer` is a median."""
_ALWAYS = frozenset({"model", "dataset", "metric", "score", "n", "errors", "unparsed"})
_MERGED = "stderr"


class CountsTable(NamedTuple):
    """Texts by column, one row per pair that has a score."""

    columns: tuple[str, ...]
    rows: list[list[str]]

    def for_people(self) -> "CountsTable":
        """`score ± stderr` in one column, and without the columns that are zero or unknown everywhere."""
        told = [
            index
            for index, column in enumerate(self.columns)
            if column in _ALWAYS or (column != _MERGED and any(row[index] not in (NOTHING, "0") for row in self.rows))
        ]
        score, error = self.columns.index("score"), self.columns.index(_MERGED)
        rows = [
            [row[i] if i != score or row[error] == NOTHING else f"{row[i]} ± {row[error]}" for i in told]
            for row in self.rows
        ]
        return CountsTable(tuple(self.columns[i] for i in told), rows)


def counts_table(scores: Scores, prices: Prices) -> CountsTable:
    """One row per pair with a score, of its first metric."""
    rows = [
        _row(model, dataset.abbr, cell, spent_on(cell, prices.get(model)))
        for model in scores.models
        for dataset in scores.datasets
        if (cell := scores.cell(model, dataset.abbr)).metrics
    ]
    return CountsTable(COLUMNS, rows)


def _row(model: str, dataset: str, cell: Cell, spent: Spent | None) -> list[str]:
    metric, value = next(iter(cell.metrics.items()))
    samples, tokens = _section(cell.own, "samples"), _section(cell.own, "tokens")
    return [
        model,
        dataset,
        metric,
        f"{value:.2f}",
        _number(_section(cell.own, "stderr").get(metric)),
        _number(_section(cell.own, "strict").get(metric)),
        *(_count(samples.get(name)) for name in _COUNTS),
        _count(samples.get("fallback")),
        _count(tokens.get("prompt_tokens")),
        _count(tokens.get("completion_tokens")),
        NOTHING if spent is None or spent.cost is None else dollars(spent.cost),
        _number(cell.own.get("latency_median")),
    ]


def remarks(scores: Scores) -> list[str]:
    """What the reader should know beside the numbers: failed requests and notes on samples, pair by pair."""
    found: list[str] = []
    for (model, dataset), cell in scores.cells.items():
        if cell.is_stale:
            found.append(f"{model} / {dataset}: the predictions changed after they were scored: score them again")
        errors, total = _section(cell.own, "samples").get("errors"), _section(cell.own, "samples").get("n")
        if cell.metrics and errors:
            reasons = "; ".join(_section(cell.own, "error_reasons"))
            found.append(f"{model} / {dataset}: {errors} of {total} samples have no answer and do not count: {reasons}")
        found += [f"{model} / {dataset}: {count} x {note}" for note, count in _section(cell.own, "notes").items()]
    return found


def _section(own: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = own.get(name)
    return section if isinstance(section, Mapping) else {}


def _count(value: Any) -> str:
    return str(value) if isinstance(value, int) else NOTHING


def _number(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else NOTHING
