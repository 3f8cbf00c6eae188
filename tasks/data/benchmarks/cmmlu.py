"""CMMLU: 11,582 questions of 67 subjects in Chinese with four options (Li et al. 2023, arXiv:2306.09212)."""

from typing import Any

from tasks.data.benchmarks.exam_options import exam_row, options_in
from tasks.data.interface import BaseDataset
from tasks.data.sources import CONVERTED, HubFile, source_rows

_SPLITS = ("dev", "test")


class CMMLUDataset(BaseDataset):
    """Columns `question`, `A` to `D`, and `answer`, a letter; splits `dev` (5 rows) and `test`."""

    @staticmethod
    def load(path: str = "opencompass/cmmlu", name: str = "") -> dict[str, list[dict[str, Any]]]:
        """Subject `name` from `<split>/<name>.csv` in the folder `path`, else from the hub."""
        return {split: _read(path, name, split) for split in _SPLITS}


def _read(path: str, name: str, split: str) -> list[dict[str, Any]]:
    on_hub = HubFile("haonan-li/cmmlu", f"{name}/{split}/0000.parquet", CONVERTED)
    rows = source_rows(path, f"{split}/{name}.csv", hub=[on_hub])
    return [exam_row(row["Question"], options_in(row), row["Answer"]) for row in rows]
