"""SVAMP: 1,000 one-step word problems with misleading numbers (Patel et al. 2021, arXiv:2103.07191)."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import CONVERTED, HubFile, source_rows

_ON_HUB = [HubFile("ChilleD/SVAMP", f"default/{split}/0000.parquet", CONVERTED) for split in ("train", "test")]


class SVAMPDataset(BaseDataset):
    """Columns `question`, the story and what is asked, and `answer`, an integer as text."""

    @staticmethod
    def load(path: str = "opencompass/svamp") -> list[dict[str, Any]]:
        """From the file `path`, or `SVAMP.jsonl` or `test.jsonl` in the folder `path`, else from the hub."""
        return [
            {
                "question": f"{row['Body'].strip().rstrip('.')}. {row['Question'].strip()}",
                "answer": f"{float(row['Answer']):.15g}",
            }
            for row in source_rows(path, "SVAMP.jsonl", "test.jsonl", hub=_ON_HUB)
        ]
