"""The files of a summary."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson

from tasks.report.summary.layout import (
    aligned,
    framed,
    latex,
    listed,
    markdown,
    plain_csv,
    quoted_csv,
    raw_results,
)
from tasks.report.summary.scores import Scores
from tasks.report.summary.summarizer import TableCell
from tasks.report.summary.summary import HEADER, Summary, SummaryPaths
from tasks.report.summary.workbook import write_workbook
from tasks.spec.storage.run_folder import RunFolder, safe_name, write_atomically


def summary_paths(folder: RunFolder, time: str) -> SummaryPaths:
    """Where the summary made at this time lies."""
    base = folder.summary / f"summary_{time}"
    return SummaryPaths(*(base.with_name(base.name + end) for end in (".txt", ".csv", ".md", ".json", "_samples.csv")))


def write_summary(summary: Summary, scores: Scores, time: str) -> None:
    """Writes the files that every summary has."""
    table = aligned(summary.header, summary.lines, left=len(HEADER))
    as_csv = plain_csv(summary.header, summary.lines)
    sections = [
        ("tabulate format", table),
        ("csv format", as_csv),
        ("markdown format", markdown(summary.header, summary.lines, left=len(HEADER))),
        ("raw format", raw_results(scores)),
        ("sample counts", summary.samples_text),
        *((title.lower(), listed(lines)) for title, lines in summary.lists()),
    ]
    head = f"{time} (partial: the run is not complete)" if summary.partial else time
    files = {
        summary.paths.text: framed(sections, head),
        summary.paths.csv: as_csv + "\n",
        summary.paths.markdown: summary.markdown,
        summary.paths.json: _json(summary_json(summary, time)),
        summary.paths.samples: quoted_csv(summary.samples.columns, summary.samples.rows),
    }
    for path, text in files.items():
        _write(path, text)


def write_more(summary: Summary, formats: Sequence[str], texts: Mapping[str, str]) -> list[Path]:
    """Writes the formats that were asked for, and further texts by name in a folder `summary_<time>`; returns where."""
    base = summary.paths.text.with_suffix("")
    written: list[Path] = []
    if "latex" in formats:
        written.append(base.with_suffix(".tex"))
        _write(written[-1], latex(summary.header, summary.lines, left=len(HEADER)) + "\n")
    if "xlsx" in formats:
        written.append(base.with_suffix(".xlsx"))
        write_workbook(summary, written[-1])
    for name, text in texts.items():
        written.append(base / safe_name(name))
        _write(written[-1], text)
    return written


def summary_json(summary: Summary, time: str) -> dict[str, Any]:
    """All of the summary: one entry per row with one cell per column; numbers are not rounded."""
    return {
        "time": time,
        "partial": summary.partial,
        "columns": [column._asdict() for column in summary.columns],
        "rows": [
            {**dict(zip(HEADER, row.texts, strict=False)), "cells": [_cell_json(cell) for cell in row.cells]}
            for row in summary.rows
        ],
        "empty": [cell._asdict() for cell in summary.empty],
        "limited": [{**asdict(limit), "text": limit.text} for limit in summary.limited],
        "remarks": list(summary.remarks),
        "spent": list(summary.spent),
    }


def _cell_json(cell: TableCell) -> dict[str, Any]:
    number = cell.number
    if number is None:
        told = {"text": cell.text, "reason": cell.reason or None, "failed": cell.failed or None}
        return {name: value for name, value in told.items() if value is not None}
    interval = number.interval
    told = {
        "value": number.value,
        "stderr": number.stderr,
        "interval": interval and [interval.low, interval.high],
        "level": interval and interval.level,
        "method": interval and interval.method,
        "detectable": number.detectable,
        "strict": number.strict,
        "samples": dict(number.samples) or None,
    }
    return {name: value for name, value in told.items() if value is not None}


def _json(content: dict[str, Any]) -> str:
    try:
        return orjson.dumps(content, option=orjson.OPT_INDENT_2).decode() + "\n"
    except TypeError:  # lone surrogates
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _write(path: Path, text: str) -> None:
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
