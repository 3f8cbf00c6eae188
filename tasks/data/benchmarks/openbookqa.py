"""OpenBookQA: 500 questions about elementary science (Mihaylov et al. 2018, arXiv:1809.02789)."""

from typing import Any

from tasks.data.benchmarks.lettered import lettered_row
from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Place

_OPTIONS = ("A", "B", "C", "D")


class OBQADataset(BaseDataset):
    """Columns `question_stem`, `A` to `D`, and `answerKey`, a letter."""

    @staticmethod
    def load(path: str = "opencompass/openbookqa_test", name: str = "main") -> list[dict[str, Any]]:
        """From `test.jsonl` in the folder `path`; `name` says which set it is."""
        del name
        file = file_in(path, "test.jsonl")
        return [
            {
                "question_stem": row["question"]["stem"],
                **lettered_row(row["question"], row["answerKey"], Place(str(file), number), _OPTIONS),
            }
            for number, row in enumerate(read_jsonl(file), 1)
        ]
