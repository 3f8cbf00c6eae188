"""MMLU-Pro: 12,032 questions of 14 categories with up to ten options (Wang et al. 2024, arXiv:2406.01574)."""

from collections.abc import Iterable
from typing import Any

from tasks.data.files import read_parquet
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, UserError, nearest

LETTERS = "ABCDEFGHIJKLMNOP"
_SPLITS = ("validation", "test")
_FILE = "{}-00000-of-00001.parquet"
_THOUGHT = "A: Let's think step by step."
"""How the benchmark's worked solutions begin."""


class MMLUProDataset(BaseDataset):
    """Columns of the benchmark; `options_str` has one lettered option per line, `cot_content` a worked solution."""

    @staticmethod
    def load(path: str = "opencompass/mmlu_pro", category: str | None = None) -> dict[str, list[dict[str, Any]]]:
        """Validation (with worked solutions) and test split, of one category or of all, from the folder `path`."""
        return {split: _read(path, split, category) for split in _SPLITS}


def _read(path: str, split: str, category: str | None) -> list[dict[str, Any]]:
    name = _FILE.format(split)
    file = file_in(path, name, f"data/{name}")
    rows = read_parquet(file) if category is None else read_parquet(file, category=category)
    if not rows and category is not None:
        raise UserError(_no_category(category, (row["category"] for row in read_parquet(file))))
    return [_row(row) for row in rows]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    options: list[str] = row["options"]
    if row["answer"] not in set(LETTERS[: len(options)]):
        message = f"question {row['question_id']} has {len(options)} options and the answer {row['answer']!r}"
        raise UserError(Finding(message, remedy="check the file"))
    lettered = "\n".join(f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=False))
    thought = (row.get("cot_content") or "").removeprefix(_THOUGHT).strip()
    return {**row, "options_str": lettered, "cot_content": thought}


def _no_category(category: str, known: Iterable[str]) -> Finding:
    return Finding(f"there is no category {category!r}", remedy=nearest(category, set(known)))
