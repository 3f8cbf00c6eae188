"""Every question once for each order of its options, for CircularEval (Liu et al. 2023, arXiv:2307.06281).

The columns `qid` (which question) and `circular_pattern` (`C_SEP_A_SEP_B`: the original letters in the order shown) are
what `CircularEvaluator` reads.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, Literal

from tasks.data.benchmarks.arc import ARCDataset
from tasks.data.benchmarks.commonsenseqa import commonsenseqaDataset
from tasks.data.benchmarks.hellaswag import HellaswagDataset_V2
from tasks.data.benchmarks.openbookqa import OBQADataset
from tasks.data.benchmarks.piqa import PIQADatasetV2
from tasks.data.benchmarks.siqa import siqaDataset_V3
from tasks.data.custom import data_file, read_rows
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

Patterns = Literal["circular", "all_possible"]
_SEPARATOR = "_SEP_"
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def circular_rows(
    rows: Sequence[Mapping[str, Any]],
    options: Sequence[str],
    answer: str,
    patterns: Patterns = "circular",
    file: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Each row in all rotations, or all orders, of its option columns; the column `answer` holds a letter.

    UserError, naming the `file`, for an answer that is no option's letter.
    """
    letters = _LETTERS[: len(options)]
    orders = _rotations(letters) if patterns == "circular" else list(permutations(letters))
    for number, row in enumerate(rows):
        right = str(row[answer])
        if len(right) != 1 or right not in letters:
            remedy = f"use one of the letters {', '.join(letters)}"
            raise UserError(Finding(f"row {number + 1}: the answer is {right!r}", Place(file, key=answer), remedy))
        shown = dict(zip(letters, (row[option] for option in options), strict=True))
        for order in orders:
            moved = {option: shown[letter] for option, letter in zip(options, order, strict=True)}
            pattern = _SEPARATOR.join(order)
            yield {**row, **moved, answer: letters[order.index(right)], "qid": number, "circular_pattern": pattern}


class CircularCustomDataset(BaseDataset):
    """Rows of a file as `CustomDataset` reads them, in all orders of `options`, its option columns."""

    @staticmethod
    def load(
        path: str,
        options: Sequence[str],
        file_name: str | None = None,
        local_mode: bool = False,
        answer: str = "answer",
        circular_patterns: Patterns = "circular",
    ) -> list[dict[str, Any]]:
        file = data_file(path, file_name, local_mode)
        return list(circular_rows(read_rows(file), options, answer, circular_patterns, str(file)))


class CircularARCDataset(BaseDataset):
    """ARC in all orders."""

    @staticmethod
    def load(
        path: str = "opencompass/ai2_arc-dev", name: str = "ARC-Challenge", circular_patterns: Patterns = "circular"
    ) -> list[dict[str, Any]]:
        options = ("textA", "textB", "textC", "textD")
        return list(circular_rows(ARCDataset.load(path, name), options, "answerKey", circular_patterns))


class CircularOBQADataset(BaseDataset):
    """OpenBookQA in all orders."""

    @staticmethod
    def load(
        path: str = "opencompass/openbookqa_test", name: str = "main", circular_patterns: Patterns = "circular"
    ) -> list[dict[str, Any]]:
        return list(circular_rows(OBQADataset.load(path, name), "ABCD", "answerKey", circular_patterns))


class CircularCSQADataset(BaseDataset):
    """CommonsenseQA in all orders; the examples keep theirs."""

    @staticmethod
    def load(
        path: str = "opencompass/commonsense_qa", circular_patterns: Patterns = "circular"
    ) -> dict[str, list[dict[str, Any]]]:
        return _asked(commonsenseqaDataset.load(path), "ABCDE", "answerKey", circular_patterns)


class CircularHSWAGDataset(BaseDataset):
    """HellaSwag in all orders."""

    @staticmethod
    def load(path: str = "opencompass/hellaswag", circular_patterns: Patterns = "circular") -> list[dict[str, Any]]:
        return list(circular_rows(HellaswagDataset_V2.load(path), "ABCD", "label", circular_patterns))


class CircularPIQADataset(BaseDataset):
    """PIQA in both orders; the examples keep theirs."""

    @staticmethod
    def load(
        path: str = "opencompass/piqa", circular_patterns: Patterns = "circular"
    ) -> dict[str, list[dict[str, Any]]]:
        return _asked(PIQADatasetV2.load(path), ("sol1", "sol2"), "answer", circular_patterns)


class CircularSIQADataset(BaseDataset):
    """Social IQa in all orders; the examples keep theirs."""

    @staticmethod
    def load(
        path: str = "opencompass/siqa", circular_patterns: Patterns = "circular"
    ) -> dict[str, list[dict[str, Any]]]:
        return _asked(siqaDataset_V3.load(path), "ABC", "answer", circular_patterns)


def _asked(
    splits: dict[str, list[dict[str, Any]]], options: Sequence[str], answer: str, patterns: Patterns
) -> dict[str, list[dict[str, Any]]]:
    """Splits with the one that is asked in all orders."""
    return splits | {"validation": list(circular_rows(splits["validation"], options, answer, patterns))}


def _rotations(letters: str) -> list[tuple[str, ...]]:
    return [tuple(letters[start:] + letters[:start]) for start in range(len(letters))]
