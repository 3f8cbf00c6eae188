"""RACE: reading comprehension from English exams of Chinese schools (Lai et al. 2017, arXiv:1704.04683)."""

from typing import Any

from tasks.data.benchmarks.exam_options import exam_row
from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_SPLITS = ("validation", "test")


class RaceDataset(BaseDataset):
    """Columns `article`, `question`, `A` to `D`, and `answer`, a letter; splits `validation` and `test`."""

    @staticmethod
    def load(path: str = "opencompass/race", name: str = "middle") -> dict[str, list[dict[str, Any]]]:
        """School `name` (`middle`, `high`) from `<split>/<name>.jsonl` in the folder `path`, else from the hub."""
        return {split: _read(path, name, split) for split in _SPLITS}


def _read(path: str, name: str, split: str) -> list[dict[str, Any]]:
    on_hub = HubFile("ehovy/race", f"{name}/{split}-00000-of-00001.parquet")
    rows = source_rows(path, f"{split}/{name}.jsonl", hub=[on_hub])
    return [exam_row(row["question"], row["options"], row["answer"], article=row["article"]) for row in rows]
