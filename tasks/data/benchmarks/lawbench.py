"""LawBench: 20 tasks of Chinese law, 500 rows each (Fei et al. 2023, arXiv:2309.16289)."""

from typing import Any

from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows


class LawBenchDataset(BaseDataset):
    """Columns `instruction`, `question` and `answer`."""

    @staticmethod
    def load(path: str = "data/lawbench/zero_shot", index: str = "2-4") -> list[dict[str, Any]]:
        """The rows of task `index` from `<index>.json` in the folder `path`: `zero_shot` or `one_shot`."""
        return read_json_rows(file_in(path, f"{index}.json"))
