"""The American Invitational Mathematics Examinations of 2024 and 2025: 30 problems each, answered by 0 to 999."""

from collections.abc import Iterable, Sequence
from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows
from tasks.spec.findings import Finding, UserError

_QUESTIONS = ("origin_prompt", "question", "problem", "Problem")
_ANSWERS = ("gold_answer", "answer", "Answer")
_2024 = [HubFile("HuggingFaceH4/aime_2024", "data/train-00000-of-00001.parquet")]
_2025 = [HubFile("opencompass/AIME2025", f"aime2025-{part}.jsonl") for part in ("I", "II")]


class Aime2024Dataset(BaseDataset):
    """Columns `question` and `answer`, an integer as text."""

    @staticmethod
    def load(path: str = "opencompass/aime2024") -> list[dict[str, Any]]:
        """From the file `path`, or `aime2024.jsonl` in the folder `path`, else from the hub."""
        return _rows(source_rows(path, "aime2024.jsonl", "aime.jsonl", hub=_2024))


class Aime2025Dataset(BaseDataset):
    """Columns `question` and `answer`, an integer as text."""

    @staticmethod
    def load(path: str = "opencompass/aime2025") -> list[dict[str, Any]]:
        """From the file `path`, or `aime2025.jsonl` in the folder `path`, else from the hub."""
        return _rows(source_rows(path, "aime2025.jsonl", hub=_2025))


def _rows(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"question": _first(row, _QUESTIONS), "answer": _integer(_first(row, _ANSWERS))} for row in rows]


def _first(row: dict[str, Any], names: Iterable[str]) -> Any:
    name = next((name for name in names if name in row), None)
    if name is None:
        raise UserError(Finding(f"a row has none of the columns {', '.join(names)}", remedy="check the file"))
    return row[name]


def _integer(answer: Any) -> str:
    """Answers are printed with three digits in some copies (`073`)."""
    text = str(answer).strip()
    return str(int(text)) if text.isdecimal() else text
