"""IFBench: 300 prompts with instructions that a program can check (Pyatkin et al. 2025, arXiv:2507.02833)."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_HUB = HubFile("allenai/IFBench_test", "data/train-00000-of-00001.parquet")


class IFBenchDataset(BaseDataset):
    """Columns `prompt` and `reference`: the row with `key`, `instruction_id_list` and `kwargs`."""

    @staticmethod
    def load(path: str = "opencompass/IFBench") -> list[dict[str, Any]]:
        """From a file of JSON lines, or `IFBench_test.jsonl` in a folder, or the hub."""
        rows = source_rows(path, "IFBench_test.jsonl", hub=[_HUB])
        return [{"prompt": row["prompt"], "reference": row} for row in rows]
