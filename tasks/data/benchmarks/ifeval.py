"""IFEval: 541 prompts with instructions that a program can check (Zhou et al. 2023, arXiv:2311.07911)."""

from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.interface import BaseDataset
from tasks.data.paths import resolve_data_path


class IFEvalDataset(BaseDataset):
    """Columns `prompt` and `reference`: the row with `key`, `instruction_id_list` and `kwargs`."""

    @staticmethod
    def load(path: str = "data/ifeval/input_data.jsonl") -> list[dict[str, Any]]:
        """The rows of the JSON-lines file `path`."""
        return [{"prompt": row.get("prompt"), "reference": row} for row in read_jsonl(resolve_data_path(path))]
