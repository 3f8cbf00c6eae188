"""GSM8K: 7,473 + 1,319 grade-school word problems (Cobbe et al. 2021, arXiv:2110.14168)."""

from collections.abc import Sequence
from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows

_SPLITS = ("train", "test")
_REPOSITORY = "openai/gsm8k"
_REVISION = "740312add88f781978c0658806c59bc2815b9866"


class GSM8KDataset(BaseDataset):
    """Columns `question` and `answer`; an answer ends with `#### <number>`."""

    @staticmethod
    def load(path: str = "opencompass/gsm8k") -> dict[str, Sequence[dict[str, Any]]]:
        """Both splits from `{train,test}.jsonl` in the folder `path`, else from the hub."""
        return {split: source_rows(path, f"{split}.jsonl", hub=[_on_hub(split)]) for split in _SPLITS}


def _on_hub(split: str) -> HubFile:
    return HubFile(_REPOSITORY, f"main/{split}-00000-of-00001.parquet", _REVISION)
