"""Summarises a run: reads its results, lets the summarizer choose what is shown, and writes the files."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from tasks.report.summary.files import summary_paths, write_more, write_summary
from tasks.report.summary.layout import counts_text
from tasks.report.summary.restrictions import (
    change_marks,
    restriction_remarks,
    restriction_rows,
    restrictions,
    text_rows,
)
from tasks.report.summary.sample_counts import counts_table, remarks
from tasks.report.summary.scores import Scores, read_scores
from tasks.report.summary.subjective import agreement_remarks
from tasks.report.summary.summarizer import SUBJECTIVE, Column, DefaultSummarizer, Row
from tasks.report.summary.summary import EmptyCell, Summary
from tasks.report.summary.usage import spent_lines
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder

_DEFAULT = "tasks.report.summary.summarizer.DefaultSummarizer"


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
    """Writes `summary/summary_<time>.{txt,csv,md,json}` and `…_samples.csv` of the run as it stands.

    `pairs` are those of the run where it does not ask every model every dataset. Raises UserError for a summarizer
    that cannot be used.
    """
    scores = read_scores(models, datasets, folder, pairs)
    chosen = build_summarizer(summarizer, search_path)
    columns, limited = tuple(chosen.columns(scores)), restrictions(scores)
    marks = text_rows(change_marks(scores), len(columns))
    rows = (*marks, *restriction_rows(limited, len(columns)), *_rows(chosen, scores, search_path))
    prices = {model.summarizer_abbr or model.abbr: model.prices for model in reversed(models)}
    samples = counts_table(columns, rows, scores, prices)
    summary = Summary(
        columns=columns,
        rows=rows,
        samples=samples,
        samples_text=counts_text(samples),
        spent=tuple(spent_lines(scores, prices)),
        empty=empty_cells(columns, rows, scores),
        limited=tuple(limited),
        remarks=(
            *restriction_remarks(limited),
            *chosen.remarks(scores),
            *remarks(scores),
            *agreement_remarks(scores),
        ),
        partial=scores.is_partial,
        paths=summary_paths(folder, time),
    )
    write_summary(summary, scores, time)
    files = {**chosen.files(scores), **_files_of_datasets(scores, search_path)}
    return replace(summary, more=tuple(write_more(summary, chosen.formats, files)))


def build_summarizer(config: dict[str, Any] | None, search_path: Sequence[str] = ()) -> DefaultSummarizer:
    """The summarizer of a config entry `{type, …options}`; UserError if it cannot be built or makes no rows."""
    options = dict(config or {})
    dotted = options.pop("type", _DEFAULT)
    summarizer = import_type(dotted, search_path)(**options)
    if not isinstance(summarizer, DefaultSummarizer):
        remedy = f"derive it from {_DEFAULT} and override rows()"
        raise UserError(Finding(f"{dotted} makes no rows", Place(key="summarizer.type"), remedy))
    return summarizer


def _files_of_datasets(scores: Scores, search_path: Sequence[str]) -> dict[str, str]:
    """What the summarizers make that datasets name for themselves."""
    files: dict[str, str] = {}
    for dataset in scores.datasets:
        config = dataset.subjective.summarizer if dataset.subjective else None
        if config:
            files |= build_summarizer(config, search_path).files(replace(scores, datasets=(dataset,)))
    return files


def _rows(summarizer: DefaultSummarizer, scores: Scores, search_path: Sequence[str]) -> Sequence[Row]:
    rows = summarizer.rows(scores)
    if summarizer.function in (None, SUBJECTIVE):
        return rows
    return import_type(summarizer.function, search_path)(rows, scores)


def empty_cells(columns: Sequence[Column], rows: Sequence[Row], scores: Scores) -> tuple[EmptyCell, ...]:
    """Cells of the table without a number, and failed pairs that no row shows."""
    shown = [
        EmptyCell(column.model, row.dataset, column.label or row.metric, cell.reason, cell.failed)
        for row in rows
        for column, cell in zip(columns, row.cells, strict=True)
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
