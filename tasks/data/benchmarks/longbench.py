"""LongBench: 21 tasks with contexts of some 5,000 to 15,000 words (Bai et al. 2023, arXiv:2308.14508)."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import CONVERTED, HubFile, source_rows


class LongBenchDataset(BaseDataset):
    """Columns `input`, `context`, `answers` (those accepted) and `all_labels`: `answers` with `all_classes`, for tasks
    that classify.
    """

    @staticmethod
    def load(path: str = "opencompass/Longbench", name: str = "hotpotqa") -> list[dict[str, Any]]:
        """The rows of task `name` from `<name>.jsonl` in the folder `path`, or in its folder `data`, or the hub."""
        hub = HubFile("THUDM/LongBench", f"{name}/test/0000.parquet", CONVERTED)
        rows = source_rows(path, f"{name}.jsonl", f"data/{name}.jsonl", hub=[hub])
        return [
            {
                "input": row["input"],
                "context": row["context"],
                "answers": list(row["answers"]),
                "all_labels": {"answers": list(row["answers"]), "all_classes": list(row.get("all_classes") or [])},
            }
            for row in rows
        ]
