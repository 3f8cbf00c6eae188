"""GSM-Hard: the 1,319 problems of GSM8K with large numbers (Gao et al. 2022, arXiv:2211.10435)."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_ON_HUB = [HubFile("reasoning-machines/gsm-hard", "gsmhardv2.jsonl")]


class GSMHardDataset(BaseDataset):
    """Columns `question` and `answer`, a number computed by a program, with all its decimals."""

    @staticmethod
    def load(path: str = "opencompass/gsm-hard") -> list[dict[str, Any]]:
        """From the file `path`, or `test.jsonl` in the folder `path`, else from the hub."""
        rows = source_rows(path, "test.jsonl", hub=_ON_HUB)
        return [{"question": row["input"], "answer": row["target"]} for row in rows]
