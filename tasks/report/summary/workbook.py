"""The summary as a workbook for Excel and its like."""

from pathlib import Path

from tasks.report.optional_libraries import report_extra
from tasks.report.summary.summary import HEADER, Summary

_WIDEST = 60


def write_workbook(summary: Summary, path: Path) -> None:
    """Sheets `scores`, `samples` and `empty cells`; numbers are numbers, texts never formulas."""
    with report_extra():
        from pandas import DataFrame, ExcelWriter
    names = [*HEADER, *(column.name for column in summary.columns)]
    values = [
        [*row.texts[: len(HEADER)], *(cell.number.value if cell.number else cell.text for cell in row.cells)]
        for row in summary.rows
    ]
    empty = [[cell.model, cell.dataset, cell.metric, cell.reason] for cell in summary.empty]
    sheets = {
        "scores": DataFrame(values, columns=names),
        "samples": DataFrame([list(map(_value, row)) for row in summary.samples.rows], columns=summary.samples.columns),
        "empty cells": DataFrame(empty, columns=["model", "dataset", "metric", "reason"]),
    }
    options = {"options": {"strings_to_formulas": False, "strings_to_urls": False}}
    path.parent.mkdir(parents=True, exist_ok=True)
    with report_extra(), ExcelWriter(path, engine="xlsxwriter", engine_kwargs=options) as writer:
        for title, frame in sheets.items():
            frame.to_excel(writer, sheet_name=title, index=False, freeze_panes=(1, 0))
            for place, name in enumerate(frame.columns):
                longest = max([len(str(name)), *(len(str(value)) for value in frame[name])])
                writer.sheets[title].set_column(place, place, min(longest + 2, _WIDEST))


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
