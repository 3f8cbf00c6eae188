"""The second table of a summary: how certain each number is, what it is made of and what it took."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tasks.report.summary.numbers import Number, dataset_number, section
from tasks.report.summary.scores import Cell, Scores
from tasks.report.summary.summarizer import NOTHING, Column, Row
from tasks.report.summary.usage import Prices, dollars, spent_on

_COUNTS = ("n", "errors", "truncated", "filtered", "refused", "empty", "unparsed", "ambiguous", "no_verdict")
COLUMNS = (
    "model", "dataset", "metric", "score", "stderr", "low", "high", "detectable", "strict", "rows", *_COUNTS, "guessed",
    "tokens in", "tokens out", "cost ($)", "median latency (s)",
)  # fmt: skip
"""`low` to `high` is the 95% CI, `detectable` the minimum detectable difference; `strict` excludes answers that
guessing rules found, `guessed` counts them; `rows` is the number of rows asked, if not all."""
_ALWAYS = frozenset({"model", "dataset", "metric", "score", "n", "errors", "unparsed"})
_NOT_FOR_PEOPLE = frozenset({"stderr", "low", "high", "detectable"})
_INTERVAL = "95% CI"


class CountsTable(NamedTuple):
    """Texts by column, one row per number."""

    columns: tuple[str, ...]
    rows: list[list[str]]

    def for_people(self) -> "CountsTable":
        """Score ± stderr and interval in a column each, and without what is zero or unknown everywhere."""
        place = {name: index for index, name in enumerate(self.columns)}
        told = [
            index
            for name, index in place.items()
            if name in _ALWAYS
            or (name not in _NOT_FOR_PEOPLE and any(row[index] not in (NOTHING, "0") for row in self.rows))
        ]
        score, error, low, high = (place[name] for name in ("score", "stderr", "low", "high"))
        with_interval = any(row[low] != NOTHING for row in self.rows)

        def merged(row: list[str]) -> Iterator[str]:
            for index in told:
                if index != score:
                    yield row[index]
                    continue
                yield row[score] if row[error] == NOTHING else f"{row[score]} ± {row[error]}"
                if with_interval:
                    yield NOTHING if row[low] == NOTHING else f"{row[low]} to {row[high]}"

        columns = [self.columns[index] for index in told]
        if with_interval:
            columns.insert(columns.index("score") + 1, _INTERVAL)
        return CountsTable(tuple(columns), [list(merged(row)) for row in self.rows])


def counts_table(columns: Sequence[Column], rows: Sequence[Row], scores: Scores, prices: Prices) -> CountsTable:
    """One row per number of the table, then one per pair that has a score but stands in no row, of its first metric."""
    found: list[list[str]] = []
    for model in scores.models:
        told: set[str] = set()
        places = [place for place, column in enumerate(columns) if column.model == model]
        for row in rows:
            for place in places:
                number = row.cells[place].number
                if number is None:
                    continue
                is_first = row.dataset not in told and scores.dataset(row.dataset) is not None
                cell = scores.cell(model, row.dataset) if is_first else None
                found.append(_row(model, row.dataset, columns[place].label or row.metric, number, cell, prices))
                told.add(row.dataset)
        found += _not_shown(model, told, scores, prices)
    return CountsTable(COLUMNS, found)


def _not_shown(model: str, told: set[str], scores: Scores, prices: Prices) -> Iterator[list[str]]:
    for dataset in scores.datasets:
        cell = scores.cell(model, dataset.abbr)
        if dataset.abbr not in told and cell.metrics:
            metric = next(iter(cell.metrics))
            yield _row(model, dataset.abbr, metric, dataset_number(cell, metric), cell, prices)


def _row(model: str, dataset: str, metric: str, number: Number, cell: Cell | None, prices: Prices) -> list[str]:
    """What a pair took stands once, beside its first number: `cell` is None for the others, and for groups."""
    own = cell.own if cell is not None else {}
    tokens = section(own, "tokens")
    spent = spent_on(cell, prices.get(model)) if cell is not None else None
    interval = number.interval
    return [
        model,
        dataset,
        metric,
        f"{number.value:.2f}",
        _number(number.stderr),
        _number(interval and interval.low),
        _number(interval and interval.high),
        _number(number.detectable),
        _number(number.strict),
        f"{number.samples['rows']} of {number.samples['all_rows']}" if "all_rows" in number.samples else NOTHING,
        *(_count(number.samples.get(name)) for name in _COUNTS),
        _count(number.samples.get("fallback")),
        _count(tokens.get("prompt_tokens")),
        _count(tokens.get("completion_tokens")),
        NOTHING if spent is None or spent.cost is None else dollars(spent.cost),
        _number(own.get("latency_median")),
    ]


def remarks(scores: Scores) -> list[str]:
    """What the reader should know beside the numbers: failed requests and notes on samples, pair by pair."""
    found: list[str] = []
    for (model, dataset), cell in scores.cells.items():
        if cell.is_stale:
            found.append(f"{model} / {dataset}: the predictions changed after they were scored: score them again")
        errors, total = section(cell.own, "samples").get("errors"), section(cell.own, "samples").get("n")
        if cell.metrics and errors:
            reasons = "; ".join(section(cell.own, "error_reasons"))
            found.append(f"{model} / {dataset}: {errors} of {total} samples have no answer and do not count: {reasons}")
        if without := section(cell.own, "samples").get("no_verdict"):
            found.append(f"{model} / {dataset}: {without} of {total} samples have no verdict and do not count")
        found += [f"{model} / {dataset}: {count} x {note}" for note, count in section(cell.own, "notes").items()]
    return found


def _count(value: Any) -> str:
    return str(value) if isinstance(value, int) else NOTHING


def _number(value: Any) -> str:
    return f"{value:.2f}" if isinstance(value, int | float) else NOTHING
