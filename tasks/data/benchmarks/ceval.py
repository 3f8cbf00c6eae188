"""C-Eval: 52 subjects of Chinese exams, 1,346 questions with known answers (Huang et al. 2023, arXiv:2305.08322)."""

from typing import Any

from tasks.data.benchmarks.exam_options import exam_row, options_in
from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_SPLITS = ("dev", "val", "test")


class CEvalDataset(BaseDataset):
    """Columns `question`, `A` to `D`, `answer` (a letter; empty in the split `test`) and `explanation`.

    Splits `dev` (5 rows with explanations), `val` and `test`.
    """

    @staticmethod
    def load(path: str = "opencompass/ceval-exam", name: str = "") -> dict[str, list[dict[str, Any]]]:
        """Subject `name` from `<split>/<name>_<split>.csv` in the folder `path`, else from the hub."""
        return {split: _read(path, name, split) for split in _SPLITS}


def _read(path: str, name: str, split: str) -> list[dict[str, Any]]:
    on_hub = HubFile("ceval/ceval-exam", f"{name}/{split}-00000-of-00001.parquet")
    rows = source_rows(path, f"{split}/{name}_{split}.csv", hub=[on_hub])
    return [
        exam_row(row["question"], options_in(row), row.get("answer", ""), explanation=row.get("explanation") or "")
        for row in rows
    ]
