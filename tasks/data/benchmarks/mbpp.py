"""MBPP: Python functions from a sentence and three tests (Austin et al. 2021, arXiv:2108.07732)."""

from collections.abc import Sequence
from typing import Any

from tasks.data.benchmarks.code_files import code_rows, repeated
from tasks.data.interface import BaseDataset

Splits = dict[str, list[dict[str, Any]]]


class MBPPDataset(BaseDataset):
    """Columns `text`, `code`, `task_id`, and the tests in the forms that templates and evaluators read.

    `test_case` is the list of assertions, `test_list` their text for prompts, `test_list_2` the text to run, with what
    has to run before it; `test_column` holds the latter and the `task_id`.
    """

    @staticmethod
    def load(path: str = "opencompass/mbpp", num_repeats: int = 1, local_mode: bool = False) -> Splits:
        """The tasks 1–10 as `train`, for examples, and 11–510 as `test`, each row of it `num_repeats` times."""
        rows = code_rows(path, "mbpp.jsonl", local_mode)
        columns = [_with_tests(row, row["test_list"], [row["test_setup_code"]]) for row in rows]
        return _splits(columns, num_repeats)


class MBPPDatasetV2(MBPPDataset):
    """Another name for the same, which configurations with several answers per row use."""


class SanitizedMBPPDataset(BaseDataset):
    """The rows that the authors checked by hand; columns as those of `MBPPDataset`."""

    @staticmethod
    def load(path: str = "opencompass/sanitized_mbpp", num_repeats: int = 1, local_mode: bool = False) -> Splits:
        """The 7 tasks below 11 as `train`, for examples, and the 257 up to 510 as `test`."""
        rows = code_rows(path, "sanitized-mbpp.jsonl", local_mode)
        columns = [_with_tests({"text": row["prompt"], **row}, row["test_list"], row["test_imports"]) for row in rows]
        return _splits(columns, num_repeats)


def _with_tests(row: dict[str, Any], tests: Sequence[str], before: Sequence[str]) -> dict[str, Any]:
    to_run = "\n".join([*filter(None, before), *tests])
    return {
        **row,
        "test_case": list(tests),
        "test_list": "\n".join(tests),
        "test_list_2": to_run,
        "test_column": {"test_list_2": to_run, "task_id": row["task_id"]},
    }


def _splits(rows: Sequence[dict[str, Any]], num_repeats: int) -> Splits:
    test = [row for row in rows if 11 <= row["task_id"] <= 510]
    return {"train": [row for row in rows if row["task_id"] < 11], "test": repeated(test, num_repeats)}
