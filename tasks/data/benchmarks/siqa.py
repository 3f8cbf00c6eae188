"""Social IQa: 33,410 + 1,954 questions about what people feel and do (Sap et al. 2019, arXiv:1904.09728)."""

from pathlib import Path
from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_LETTERS = "ABC"


class siqaDataset_V3(BaseDataset):  # noqa: N801  OpenCompass's name
    """Columns `context`, `question`, `A`, `B`, `C` and `answer` (a letter); splits `train` and `validation`."""

    @staticmethod
    def load(path: str = "opencompass/siqa") -> dict[str, list[dict[str, Any]]]:
        """From `{train,dev}.jsonl` and `{train,dev}-labels.lst` in the folder `path`."""
        return {split: _read(path, name) for split, name in (("train", "train"), ("validation", "dev"))}


def _read(path: str, name: str) -> list[dict[str, Any]]:
    file, label_file = file_in(path, f"{name}.jsonl"), file_in(path, f"{name}-labels.lst")
    rows, labels = read_jsonl(file), label_file.read_text(encoding="utf-8").split()
    if len(rows) != len(labels):
        message = f"{len(labels)} labels for the {len(rows)} rows of {file.name}"
        raise UserError(Finding(message, Place(str(label_file)), "fetch both files again"))
    return [
        _row(row, label, label_file, number) for number, (row, label) in enumerate(zip(rows, labels, strict=True), 1)
    ]


def _row(row: dict[str, Any], label: str, file: Path, number: int) -> dict[str, Any]:
    if label not in ("1", "2", "3"):
        raise UserError(Finding(f"{label!r} is no label", Place(str(file), number), "labels are 1, 2 and 3"))
    options = {letter: row[f"answer{letter}"] for letter in _LETTERS}
    return {"context": row["context"], "question": row["question"], **options, "answer": _LETTERS[int(label) - 1]}
