"""TheoremQA: 800 university questions that a theorem answers (Chen et al. 2023, arXiv:2305.12524)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.data.custom import read_rows
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.data.sources import CONVERTED, HubFile, source_files

_ON_HUB = [HubFile("TIGER-Lab/TheoremQA", "default/test/0000.parquet", CONVERTED)]


class TheoremQADatasetV3(BaseDataset):
    """Columns `Question`, `Answer` (text: a number, `True`, a list, `(b)`) and `Answer_type`."""

    @staticmethod
    def load(path: str = "opencompass/TheoremQA") -> list[dict[str, Any]]:
        """From the file `path`, or `theoremqa_test.json` or `test.csv` in the folder `path`, else from the hub."""
        (file,) = source_files(path, "theoremqa_test.json", "test.csv", hub=_ON_HUB)
        return [
            {"Question": row["Question"], "Answer": str(row["Answer"]), "Answer_type": row["Answer_type"]}
            for row in _read(file)
        ]


def _read(file: Path) -> Sequence[dict[str, Any]]:
    return read_json_rows(file) if file.suffix == ".json" else read_rows(file)
