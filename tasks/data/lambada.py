"""LAMBADA: 5,153 passages whose last word takes all of the passage to guess (Paperno et al. 2016, arXiv:1606.06031)."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import source_rows


class lambadaDataset(BaseDataset):  # noqa: N801  OpenCompass's name
    """Columns `prompt`, the passage without its last word, and `label`, that word; split `test`."""

    @staticmethod
    def load(path: str = "opencompass/lambada") -> dict[str, list[dict[str, Any]]]:
        """From a file of JSON lines, or `test.jsonl` in a folder."""
        return {"test": list(source_rows(path, "test.jsonl"))}
