"""Rows without a question or a reference, found before anything is asked."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from tasks.data.interface import LoadedDataset, Row
from tasks.data.missing_values import is_blank, is_missing
from tasks.data.rows import plan_rows
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import PairPlan
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding
from tasks.spec.specs import DatasetSpec

_REMEDY = "correct the data, or leave the row out with reader_cfg.test_range"


def check_questions(pairs: Sequence[PairPlan], request: RunRequest) -> list[Finding]:
    """The first row of each dataset whose question has a missing value, or is empty."""
    if request.mode not in ("all", "infer"):
        return []
    findings: list[Finding] = []
    for pair in {pair.dataset.abbr: pair for pair in pairs}.values():
        if pair.data is not None:
            findings += _question_finding(pair.dataset, pair.data, request.limit)
    return findings


def missing_reference(dataset: DatasetSpec, row: Row, number: int, *, needs_text: bool) -> Finding | None:
    """What is wrong with the reference of a row, if it is missing; an empty one too if the evaluator needs text."""
    column = dataset.reader.output_column or ""
    value = row.get(column)
    if not (is_missing(value) or (needs_text and is_blank(value))):
        return None
    message = f"{row_name(dataset, number)} has no reference: column {column!r} is {value!r}"
    remedy = "correct the data, choose a split with references (reader_cfg.test_split), or only ask: -m infer"
    return Finding(message, place_in(dataset, "reader_cfg.output_column"), remedy)


def row_name(dataset: DatasetSpec, number: int) -> str:
    """Dataset, row and file, as messages name them."""
    path: Any = dataset.arguments.get("path")
    return f"{dataset.abbr}: row {number}{f' of {path}' if isinstance(path, str) else ''}"


def _question_finding(dataset: DatasetSpec, data: LoadedDataset, limit: int | None) -> Iterator[Finding]:
    columns = _asked_columns(dataset)
    if not columns:
        return
    for planned in plan_rows(dataset.model_copy(update={"n": 1}), data, limit):
        row = data.test[planned.row]
        missing = [column for column in columns if is_missing(row.get(column))]
        if missing or all(is_blank(row.get(column)) for column in columns):
            told = f"column {missing[0]!r} is {row.get(missing[0])!r}" if missing else "all its columns are empty"
            message = f"{row_name(dataset, planned.row)} has no question: {told}"
            yield Finding(message, place_in(dataset, "reader_cfg.input_columns"), _REMEDY)
            return


def _asked_columns(dataset: DatasetSpec) -> list[str]:
    """The input columns that the templates show."""
    shown = set(re.findall(r"\{(\w+)\}", str(dataset.infer_cfg)))
    return [column for column in dataset.reader.input_columns if column in shown]
