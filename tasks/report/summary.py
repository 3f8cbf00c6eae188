"""The summary of a run: what it says and the files it stands in."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tasks.report.layout import (
    aligned,
    counts_markdown,
    counts_text,
    framed,
    markdown,
    plain_csv,
    quoted_csv,
    raw_results,
)
from tasks.report.sample_counts import CountsTable, counts_table, remarks
from tasks.report.scores import Scores, read_scores
from tasks.report.spent import spent_lines
from tasks.report.summarizer import DefaultSummarizer, Row
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.run_folder import Pair, RunFolder, write_atomically
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.type_loading import import_type

_HEADER = ("dataset", "version", "metric", "mode")
_DEFAULT = "tasks.report.summarizer.DefaultSummarizer"


class SummaryPaths(NamedTuple):
    """The files of a summary."""

    text: Path
    csv: Path
    markdown: Path
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

    models: tuple[str, ...]
    """Names of the columns behind dataset, version, metric, mode."""
    rows: tuple[Row, ...]
    samples: CountsTable
    empty: tuple[EmptyCell, ...]
    """Cells without a number, and failed pairs that no row shows."""
    remarks: tuple[str, ...]
    """Failed requests and notes on samples, one line each."""
    spent: tuple[str, ...]
    """Tokens and cost of each model and of all, one line each."""
    partial: bool
    """Whether anything that did not fail is still to come."""
    paths: SummaryPaths

    @property
    def header(self) -> list[str]:
        return [*_HEADER, *self.models]

    @property
    def failed(self) -> tuple[EmptyCell, ...]:
        """The cells that something went wrong with."""
        return tuple(cell for cell in self.empty if cell.failed)

    @property
    def table(self) -> list[dict[str, str]]:
        """The rows by column, for a table artifact."""
        return [dict(zip(self.header, row.texts, strict=True)) for row in self.rows]

    @property
    def text(self) -> str:
        """All of it for a console."""
        parts = ["PARTIAL: the run is not complete"] if self.partial else []
        parts.append(aligned(self.header, [row.texts for row in self.rows], left=len(_HEADER)))
        if self.samples.rows:
            parts.append(counts_text(self.samples))
        parts += [f"{title}:\n{_list(lines)}" for title, lines in self.lists()]
        return "\n\n".join(parts)

    @property
    def markdown(self) -> str:
        """All of it as Markdown, the table first."""
        parts = [markdown(self.header, [row.texts for row in self.rows], left=len(_HEADER))]
        if self.partial:
            parts.append("**Partial: the run is not complete.**")
        if self.samples.rows:
            parts.append(f"## Samples\n\n{counts_markdown(self.samples)}")
        parts += [f"## {title}\n\n{_list(lines)}" for title, lines in self.lists()]
        return "\n\n".join(parts) + "\n"

    def lists(self) -> list[tuple[str, list[str]]]:
        """Titles and lines of what is told in words; empty ones are left out."""
        titled = [
            ("Spent", list(self.spent)),
            ("Empty cells", [str(cell) for cell in self.empty]),
            ("Remarks", list(self.remarks)),
        ]
        return [(title, lines) for title, lines in titled if lines]


def summarize(
    models: Sequence[ModelSpec],
    datasets: Sequence[DatasetSpec],
    folder: RunFolder,
    summarizer: dict[str, Any] | None,
    *,
    time: str,
    search_path: Sequence[str] = (),
    pairs: Collection[Pair] | None = None,
) -> Summary:
    """Writes `summary/summary_<time>.{txt,csv,md}` and `…_samples.csv` of the run as it stands.

    `pairs` are those of the run where it does not ask every model every dataset. Raises UserError for a summarizer
    that cannot be used.
    """
    scores = read_scores(models, datasets, folder, pairs)
    rows = tuple(build_summarizer(summarizer, search_path).rows(scores))
    prices = {model.summarizer_abbr or model.abbr: model.prices for model in reversed(models)}
    base = folder.summary / f"summary_{time}"
    paths = SummaryPaths(*(base.with_name(base.name + end) for end in (".txt", ".csv", ".md", "_samples.csv")))
    summary = Summary(
        models=scores.models,
        rows=rows,
        samples=counts_table(scores, prices),
        spent=tuple(spent_lines(scores, prices)),
        empty=_empty_cells(rows, scores),
        remarks=tuple(remarks(scores)),
        partial=scores.is_partial,
        paths=paths,
    )
    _write(summary, scores, time)
    return summary


def build_summarizer(config: dict[str, Any] | None, search_path: Sequence[str] = ()) -> DefaultSummarizer:
    """The summarizer of a config entry `{type, …options}`; UserError if it cannot be built or makes no rows."""
    options = dict(config or {})
    dotted = options.pop("type", _DEFAULT)
    summarizer = import_type(dotted, search_path)(**options)
    if not hasattr(summarizer, "rows"):
        remedy = "derive it from tasks.report.summarizer.DefaultSummarizer and override rows()"
        raise UserError(Finding(f"{dotted} makes no rows", Place(key="summarizer.type"), remedy))
    return summarizer


def _empty_cells(rows: Sequence[Row], scores: Scores) -> tuple[EmptyCell, ...]:
    shown = [
        EmptyCell(model, row.dataset, row.metric, cell.reason, cell.failed)
        for row in rows
        for model, cell in zip(scores.models, row.cells, strict=True)
        if cell.reason
    ]
    told = {(cell.model, cell.dataset) for cell in shown}
    hidden = [
        EmptyCell(model, dataset, "-", cell.reason, failed=True)
        for (model, dataset), cell in scores.cells.items()
        if cell.failed and (model, dataset) not in told
    ]
    distinct = {(cell.model, cell.dataset, cell.reason): cell for cell in reversed([*shown, *hidden])}
    return tuple(reversed(distinct.values()))


def _write(summary: Summary, scores: Scores, time: str) -> None:
    header, rows = summary.header, [row.texts for row in summary.rows]
    table = aligned(header, rows, left=len(_HEADER))
    as_csv, as_markdown = plain_csv(header, rows), markdown(header, rows, left=len(_HEADER))
    sections = [
        ("tabulate format", table),
        ("csv format", as_csv),
        ("markdown format", as_markdown),
        ("raw format", raw_results(scores)),
        ("sample counts", counts_text(summary.samples)),
        *((title.lower(), _list(lines)) for title, lines in summary.lists()),
    ]
    head = f"{time} (partial: the run is not complete)" if summary.partial else time
    files = {
        summary.paths.text: framed(sections, head),
        summary.paths.csv: as_csv + "\n",
        summary.paths.markdown: summary.markdown,
        summary.paths.samples: quoted_csv(summary.samples.columns, summary.samples.rows),
    }
    for path, text in files.items():
        write_atomically(path, text.encode("utf-8", "backslashreplace"))


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)
