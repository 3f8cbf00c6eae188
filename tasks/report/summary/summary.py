"""The summary of a run: what it says."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tasks.report.summary.layout import aligned, counts_markdown, listed, literal, markdown
from tasks.report.summary.restrictions import Restriction
from tasks.report.summary.sample_counts import CountsTable
from tasks.report.summary.summarizer import NOTHING, Column, Row

HEADER = ("dataset", "version", "metric", "mode")


class SummaryPaths(NamedTuple):
    """The files of a summary that every run has."""

    text: Path
    csv: Path
    markdown: Path
    json: Path
    samples: Path
    """CSV of the sample counts."""


class EmptyCell(NamedTuple):
    """A cell without a number, and why."""

    model: str
    dataset: str
    metric: str
    reason: str
    failed: bool
    """Whether something went wrong, rather than not having happened yet."""

    def __str__(self) -> str:
        return f"{self.model} / {self.dataset}: {self.reason}"


@dataclass(frozen=True)
class Summary:
    """What a run has shown so far."""

    columns: tuple[Column, ...]
    """Those behind dataset, version, metric, mode."""
    rows: tuple[Row, ...]
    samples: CountsTable
    samples_text: str
    """The same for a console and the text file; with thousands of pairs it takes longer than all else."""
    empty: tuple[EmptyCell, ...]
    """Cells without a number, and failed pairs that no row shows."""
    limited: tuple[Restriction, ...]
    """Pairs of which only some rows were asked."""
    remarks: tuple[str, ...]
    """Failed requests and notes on samples, one line each."""
    spent: tuple[str, ...]
    """Tokens and cost of each model and of all, one line each."""
    partial: bool
    """Whether anything that did not fail is still to come."""
    paths: SummaryPaths
    more: tuple[Path, ...] = ()
    """Further files that the summarizer makes or the user asked for."""
    appendix: str = ""
    """Shown below all else on a console."""

    @property
    def header(self) -> list[str]:
        """The first line of headings."""
        return [*HEADER, *(column.model for column in self.columns)]

    @property
    def lines(self) -> list[list[str]]:
        """The lines below it: a second one of headings where columns have labels, and the rows."""
        labels = [NOTHING] * len(HEADER) + [column.label for column in self.columns]
        second = [labels] if any(column.label for column in self.columns) else []
        return [*second, *(row.texts for row in self.rows)]

    @property
    def failed(self) -> tuple[EmptyCell, ...]:
        """The cells that something went wrong with."""
        return tuple(cell for cell in self.empty if cell.failed)

    @property
    def table(self) -> list[dict[str, str]]:
        """The rows by column, for a table artifact."""
        names = [*HEADER, *(column.name for column in self.columns)]
        return [dict(zip(names, row.texts, strict=True)) for row in self.rows]

    @property
    def text(self) -> str:
        """All of it for a console."""
        parts = ["PARTIAL: the run is not complete"] if self.partial else []
        parts.append(aligned(self.header, self.lines, left=len(HEADER)))
        if self.samples.rows:
            parts.append(self.samples_text)
        parts += [f"{title}:\n{listed(lines)}" for title, lines in self.lists()]
        return "\n\n".join([*parts, self.appendix] if self.appendix else parts)

    @property
    def markdown(self) -> str:
        """All of it as Markdown, the table first."""
        parts = [markdown(self.header, self.lines, left=len(HEADER))]
        if self.partial:
            parts.append("**Partial: the run is not complete.**")
        if self.samples.rows:
            parts.append(f"## Samples\n\n{counts_markdown(self.samples)}")
        parts += [f"## {title}\n\n{literal(listed(lines))}" for title, lines in self.lists()]
        return "\n\n".join(parts) + "\n"

    def lists(self) -> list[tuple[str, list[str]]]:
        """Titles and lines of what is told in words; empty ones are left out."""
        titled = [
            ("Usage (reused answers included)", list(self.spent)),
            ("Empty cells", [str(cell) for cell in self.empty]),
            ("Remarks", list(self.remarks)),
        ]
        return [(title, lines) for title, lines in titled if lines]
