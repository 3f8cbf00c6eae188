"""GAOKAO-Bench: questions of the Chinese college entrance examination, 2010 to 2022 (Zhang et al. 2023,
arXiv:2305.12474).
"""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.data.sources import source_files


class GaokaoBenchDataset(BaseDataset):
    """Columns of the benchmark: `question`, `answer` (a list, one text for each question of the row), `score`, …"""

    @staticmethod
    def load(path: str = "opencompass/GAOKAO-BENCH", filename: str = "", name: str = "") -> list[dict[str, Any]]:
        """The rows from the file `path`, or from `filename` in the folder `path`; `name` says which set it is."""
        del name
        (file,) = source_files(path, filename.strip("/"))
        return read_json_rows(file, key="example")
