"""LAMBADA: 5,153 passages whose last word takes all of the passage to guess (Paperno et al. 2016, arXiv:1606.06031)."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_HUB = HubFile("EleutherAI/lambada_openai", "data/lambada_test_en.jsonl")


class lambadaDataset(BaseDataset):  # noqa: N801  OpenCompass's name
    """Columns `prompt`, the passage without its last word, and `label`, that word; split `test`."""

    @staticmethod
    def load(path: str = "opencompass/lambada") -> dict[str, list[dict[str, Any]]]:
        """From a file of JSON lines, or `test.jsonl` in a folder, or the hub."""
        return {"test": [_row(row) for row in source_rows(path, "test.jsonl", hub=[_HUB])]}


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """The hub's copy has whole passages as `text`."""
    if "text" not in row:
        return row
    prompt, _, label = row["text"].rpartition(" ")
    return {"prompt": prompt, "label": label}
