"""What a dataset is once it is loaded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
Rows = Sequence[Row]
"""Rows of one split in file order. Any sequence will do; it need not hold them all in memory."""


@dataclass(frozen=True)
class LoadedDataset:
    """Both splits of a dataset and what identifies their content."""

    train: Rows
    """Where few-shot examples come from."""
    test: Rows
    """What is asked: the whole split, before any range, repeat or limit."""
    fingerprint: str
    """Changes exactly when the content changes; known without reading it twice."""
    test_digest: str = ""
    """The same of the test split alone."""


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """One row to be asked, once."""

    position: int
    """Where it stands among the planned rows, from 0: the key in the predictions file."""
    row: int
    """Index in the whole test split."""
    repeat: int
    """Which of the `n` repeats, from 0."""


class BaseDataset:
    """Base of own dataset classes: override `load`.

    `load(**arguments)` returns the rows as a list of dicts, or a dict of splits `{"train": rows, "test": rows}`;
    a Hugging Face `Dataset` or `DatasetDict` is accepted as well.
    """

    @staticmethod
    def load(**arguments: Any) -> Any:
        raise NotImplementedError
