"""GPQA: questions by experts that a search does not answer; 198 of them are `diamond` (Rein et al. 2023,
arXiv:2311.12022).
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from tasks.data.benchmarks.exam_options import LETTERS, exam_row
from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_RIGHT = "Correct Answer"
_ANSWERS = (_RIGHT, "Incorrect Answer 1", "Incorrect Answer 2", "Incorrect Answer 3")


class GPQADataset(BaseDataset):
    """Columns `question`, `A` to `D`, and `answer`, a letter. From row to row the right option goes one letter back."""

    @staticmethod
    def load(path: str = "opencompass/gpqa", name: str = "gpqa_diamond.csv") -> list[dict[str, Any]]:
        """From the file `name` in the folder `path`, else from the hub, where the authors ask for consent."""
        return [_row(row, _rotated(number)) for number, row in enumerate(_read(path, name), 1)]


class GPQASimpleEvalDataset(BaseDataset):
    """The same with the options of each row shuffled, in the same order in every run."""

    @staticmethod
    def load(
        path: str = "opencompass/gpqa", name: str = "gpqa_diamond.csv", n_repeats: int = 1
    ) -> list[dict[str, Any]]:
        """All rows, `n_repeats` times, each time with other orders."""
        rows, orders = _read(path, name), _shuffled()
        return [_row(row, next(orders)) for _ in range(n_repeats) for row in rows]


def _read(path: str, name: str) -> Sequence[dict[str, Any]]:
    return source_rows(path, name, hub=[HubFile("Idavidrein/gpqa", name)])


def _row(row: dict[str, Any], order: Sequence[int]) -> dict[str, Any]:
    options = [row[_ANSWERS[index]].strip() for index in order]
    return exam_row(row["Question"].strip(), options, order.index(0))


def _rotated(number: int) -> list[int]:
    return [(place + number) % len(LETTERS) for place in range(len(LETTERS))]


def _shuffled() -> Iterator[list[int]]:
    generator = random.Random(0)
    while True:
        yield generator.sample(range(len(LETTERS)), len(LETTERS))
