"""All samples of a run as rows of one table, for CSV and Parquet."""

import csv
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from tasks.report.optional_libraries import report_extra
from tasks.report.page.sample import StoredSample, stored_samples
from tasks.report.summary.layout import inert
from tasks.score.files.predictions import prediction_files
from tasks.score.interface import VERDICTS
from tasks.score.score_error import ScoreError
from tasks.spec.findings import UserError
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import Pair, RunFolder

TEXTS = ("model", "dataset", "sample", "status", "prompt", "prediction", "reasoning", "reference", "answer", "rule")
COLUMNS: dict[str, type] = {
    **dict.fromkeys(TEXTS[:3], str),
    "index": int,
    "repeat": int,
    **dict.fromkeys(TEXTS[3:], str),
    "correct": bool,
    "finish_reason": str,
    "prompt_tokens": int,
    "completion_tokens": int,
    "latency": float,
    "attempts": int,
    "error": str,
    "note": str,
    "details": str,
}
"""Names and types; what is not known is empty. Prompts of several messages, lists and `details` are JSON."""
_TOLD = frozenset({"origin_prediction", "pred", "answer", "status", "rule", *VERDICTS})
_BATCH = 2000


def sample_rows(folder: RunFolder, pairs: Mapping[Pair, int]) -> Iterator[dict[str, Any]]:
    """The samples pair by pair; `pairs` says how often each row was asked. Those without predictions are left out.

    UserError naming a pair whose files cannot be read.
    """
    for pair, repeats in pairs.items():
        try:
            prediction_files(folder, pair)
        except ScoreError:
            continue
        try:
            for number, sample in enumerate(stored_samples(folder, pair, repeats)):
                yield _row(pair, sample, *divmod(number, repeats))
        except (ScoreError, OSError, ValueError) as error:
            raise UserError(f"{pair.model}/{pair.dataset} cannot be exported: {error}") from error


def write_csv(path: Path, rows: Iterator[dict[str, Any]]) -> int:
    """Writes the rows, texts as a spreadsheet may open them, and returns how many there are."""
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.DictWriter(file, list(COLUMNS))
        writer.writeheader()
        for row in rows:
            writer.writerow({name: inert(cell) if isinstance(cell, str) else cell for name, cell in row.items()})
            count += 1
    return count


def write_parquet(path: Path, rows: Iterator[dict[str, Any]]) -> int:
    """Writes the rows, some thousands at a time, and returns how many there are; needs the extra `report`."""
    with report_extra():
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with ParquetWriter(path, schema) as writer:
        for batch in _batches(rows):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _row(pair: Pair, sample: StoredSample, index: int, repeat: int) -> dict[str, Any]:
    record, detail = sample.record, sample.detail.fields if sample.detail else {}
    usage = record.get("usage") or {}
    more = {key: value for key, value in detail.items() if key not in _TOLD}
    return {
        "model": pair.model,
        "dataset": pair.dataset,
        "sample": sample.detail.key.row if sample.detail else f"{pair.dataset}_{index}",
        "index": index,
        "repeat": repeat,
        "status": str(sample.status),
        "prompt": _text(record.get("origin_prompt", record.get("prompt"))),
        "prediction": _text(record.get("prediction")),
        "reasoning": _text(record.get("reasoning")),
        "reference": _text(detail.get("answer", record.get("gold"))),
        "answer": _text(detail.get("pred")),
        "rule": _text(detail.get("rule")),
        "correct": sample.verdict,
        "finish_reason": _text(record.get("finish_reason")),
        "prompt_tokens": usage.get("prompt_tokens"),
        "completion_tokens": usage.get("completion_tokens"),
        "latency": _number(record.get("latency")),
        "attempts": record.get("attempts"),
        "error": _text(record.get("error")),
        "note": _text(record.get("note")),
        "details": _text(more or None),
    }


def _text(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(jsonable(value), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode()


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
