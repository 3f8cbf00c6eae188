"""CommonsenseQA: 9,741 + 1,221 questions that take common sense (Talmor et al. 2019, arXiv:1811.00937)."""

from typing import Any

from tasks.data.benchmarks.lettered import LETTERS, lettered_row
from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Place

_FILES = {"train": "train_rand_split.jsonl", "validation": "dev_rand_split.jsonl"}


class commonsenseqaDataset(BaseDataset):  # noqa: N801  OpenCompass's name
    """Columns `question`, `A` to `E`, and `answerKey`, a letter; splits `train` and `validation`."""

    @staticmethod
    def load(path: str = "opencompass/commonsense_qa") -> dict[str, list[dict[str, Any]]]:
        """From `{train,dev}_rand_split.jsonl` in the folder `path`."""
        return {split: _read(path, name) for split, name in _FILES.items()}


def _read(path: str, name: str) -> list[dict[str, Any]]:
    file = file_in(path, name)
    return [
        {
            "question": row["question"]["stem"],
            **lettered_row(row["question"], row["answerKey"], Place(str(file), number), tuple(LETTERS)),
        }
        for number, row in enumerate(read_jsonl(file), 1)
    ]
