"""MMLU: 14,042 questions of 57 subjects with four options (Hendrycks et al. 2020, arXiv:2009.03300)."""

from collections.abc import Sequence
from typing import Any

from tasks.data.benchmarks.exam_options import exam_row, options_in
from tasks.data.files import read_csv, read_parquet
from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_files

_COLUMNS = ("input", "A", "B", "C", "D", "target")
_SPLITS = {"dev": "dev", "val": "validation", "test": "test"}
"""Splits and their names on the hub."""


class MMLUDataset(BaseDataset):
    """Columns `input`, `A` to `D`, and `target`, a letter; splits `dev` (5 rows), `val` and `test`."""

    @staticmethod
    def load(path: str = "opencompass/mmlu", name: str = "") -> dict[str, list[dict[str, Any]]]:
        """Subject `name` from `<split>/<name>_<split>.csv` in the folder `path`, else from the hub."""
        return {split: [_row(row) for row in _read(path, name, split)] for split in _SPLITS}


def _read(path: str, name: str, split: str) -> Sequence[dict[str, Any]]:
    on_hub = HubFile("cais/mmlu", f"{name}/{_SPLITS[split]}-00000-of-00001.parquet")
    (file,) = source_files(path, f"{split}/{name}_{split}.csv", hub=[on_hub])
    return read_parquet(file) if file.suffix == ".parquet" else read_csv(file, _COLUMNS)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    question, answer = row.get("input", row.get("question")), row.get("target", row.get("answer"))
    exam = exam_row(str(question), row.get("choices") or options_in(row), answer)
    return {"input": exam.pop("question"), "target": exam.pop("answer"), **exam}
