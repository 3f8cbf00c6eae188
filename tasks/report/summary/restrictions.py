"""Which scores are over a part of the rows only (`--limit`, `test_range`), and how every output says so."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.report.summary.scores import Scores
from tasks.report.summary.summarizer import NOTHING, Row, TableCell

_ROWS = 5
"""Datasets that have a row of their own; more are counted in one."""


@dataclass(frozen=True)
class Restriction:
    """One pair of which only some rows were asked."""

    model: str
    dataset: str
    asked: int
    rows: int
    """Of the whole split."""

    @property
    def text(self) -> str:
        return limited_text(self.asked, self.rows)


def limited_text(asked: int, rows: int) -> str:
    """`limited to 10 of 1,319`."""
    return f"limited to {asked:,} of {rows:,}"


def restrictions(scores: Scores) -> list[Restriction]:
    """All pairs with a score over a part of the rows."""
    found: list[Restriction] = []
    for (model, dataset), cell in scores.cells.items():
        counts = restriction_of(cell.own) if cell.metrics else None
        if counts is not None:
            found.append(Restriction(model, dataset, *counts))
    return found


def restriction_of(own: Mapping[str, Any]) -> tuple[int, int] | None:
    """How many of how many rows were asked, as the results file says; None if all were, or if it does not say."""
    told: Any = own.get("rows")
    if not isinstance(told, Mapping):
        return None
    asked, rows = told.get("asked"), told.get("all")
    return (asked, rows) if isinstance(asked, int) and isinstance(rows, int) and asked < rows else None


def restriction_rows(found: Sequence[Restriction], columns: int) -> list[Row]:
    """Rows of text that stand above the table, as OpenCompass's tables have them."""
    return text_rows(_lines(found), columns)


def text_rows(lines: Iterable[str], columns: int) -> list[Row]:
    """Rows without numbers."""
    return [Row(line, NOTHING, NOTHING, NOTHING, (TableCell(NOTHING),) * columns) for line in lines]


def change_marks(scores: Scores) -> list[str]:
    """Scores of predictions or rows that were changed after the run (`--rescore-changed`), one line each."""
    changes = {pair: cell.own.get("changed") for pair, cell in scores.cells.items() if cell.metrics}
    return [
        f"{model} / {dataset}: {'; '.join(map(str, told))}"
        for (model, dataset), told in changes.items()
        if isinstance(told, list)
    ]


def restriction_remarks(found: Iterable[Restriction]) -> list[str]:
    """One line per dataset, per pair where models differ; none where the table has a row for each."""
    lines = _texts(found)
    return lines if len(lines) > _ROWS else []


def _texts(found: Iterable[Restriction]) -> list[str]:
    texts: dict[str, dict[str, list[str]]] = {}
    for each in found:
        texts.setdefault(each.dataset, {}).setdefault(each.text, []).append(each.model)
    return [
        f"{dataset}: {text}" if len(models) == 1 else f"{' and '.join(names)} / {dataset}: {text}"
        for dataset, models in texts.items()
        for text, names in models.items()
    ]


def _lines(found: Sequence[Restriction]) -> list[str]:
    """More datasets than a few are counted together, by the largest restriction of each."""
    texts = _texts(found)
    if len(texts) <= _ROWS:
        return texts
    least = {each.dataset: each for each in sorted(found, key=lambda each: each.asked / each.rows, reverse=True)}
    asked, rows = sum(each.asked for each in least.values()), sum(each.rows for each in least.values())
    return [f"{len(least)} datasets: {limited_text(asked, rows)}"]
