"""PIQA: 16,113 + 1,838 everyday aims with two ways to reach them (Bisk et al. 2020, arXiv:1911.11641)."""

from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_SPLITS = {"train": "train", "validation": "dev"}


class PIQADataset(BaseDataset):
    """Columns `goal`, `sol1`, `sol2`, and `label`, 0 or 1; splits `train` and `validation`."""

    @staticmethod
    def load(path: str = "opencompass/piqa") -> dict[str, list[dict[str, Any]]]:
        """From `{train,dev}.jsonl` and `{train,dev}-labels.lst` in the folder `path`."""
        return {split: _read(path, name) for split, name in _SPLITS.items()}


class PIQADatasetV2(PIQADataset):
    """The same with a letter as `answer` in place of `label`."""

    @staticmethod
    def load(path: str = "opencompass/piqa") -> dict[str, list[dict[str, Any]]]:
        """From `{train,dev}.jsonl` and `{train,dev}-labels.lst` in the folder `path`."""
        splits = PIQADataset.load(path)
        return {split: [_with_letter(row) for row in rows] for split, rows in splits.items()}


def _with_letter(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("goal", "sol1", "sol2")} | {"answer": "AB"[row["label"]]}


def _read(path: str, name: str) -> list[dict[str, Any]]:
    file, label_file = file_in(path, f"{name}.jsonl"), file_in(path, f"{name}-labels.lst")
    rows, labels = read_jsonl(file), label_file.read_text(encoding="utf-8").split()
    if len(rows) != len(labels) or not set(labels) <= {"0", "1"}:
        message = f"{len(labels)} labels for the {len(rows)} rows of {file.name}"
        raise UserError(Finding(message, Place(str(label_file)), "there is one label per row, 0 or 1"))
    columns = ("goal", "sol1", "sol2")
    return [
        {name: row[name] for name in columns} | {"label": int(label)} for row, label in zip(rows, labels, strict=True)
    ]
