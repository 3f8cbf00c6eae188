"""CRUXEval: 800 short functions, each with a call and what it returns (Gu et al. 2024, arXiv:2401.03065)."""

from typing import Any

from tasks.data.benchmarks.code_files import code_rows
from tasks.data.interface import BaseDataset


class CRUXEvalDataset(BaseDataset):
    """Columns `id`, `code` (the function `f`), `input` (the arguments) and `output` (the returned value)."""

    @staticmethod
    def load(path: str = "opencompass/cruxeval", local_mode: bool = False) -> list[dict[str, Any]]:
        """Rows of the file `path`, or of `cruxeval.jsonl` in the folder `path`."""
        return code_rows(path, "cruxeval.jsonl", local_mode)
