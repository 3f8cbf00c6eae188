"""HellaSwag: 10,042 beginnings of scenes with four ways to go on (Zellers et al. 2019, arXiv:1905.07830)."""

from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_LETTERS = "ABCD"


class HellaswagDataset(BaseDataset):
    """Columns `ctx`, `A` to `D`, and `label`, from 0 to 3."""

    @staticmethod
    def load(path: str = "opencompass/hellaswag") -> list[dict[str, Any]]:
        """From `hellaswag.jsonl` in the folder `path`."""
        file = file_in(path, "hellaswag.jsonl")
        return [_row(row, Place(str(file), number)) for number, row in enumerate(read_jsonl(file), 1)]


class HellaswagDataset_V2(HellaswagDataset):  # noqa: N801  OpenCompass's name
    """The same with a letter as `label`."""

    @staticmethod
    def load(path: str = "opencompass/hellaswag") -> list[dict[str, Any]]:
        """From `hellaswag.jsonl` in the folder `path`."""
        return [row | {"label": _LETTERS[row["label"]]} for row in HellaswagDataset.load(path)]


def _row(row: dict[str, Any], place: Place) -> dict[str, Any]:
    choices, gold = row["choices"], row["gold"]
    if len(choices) != len(_LETTERS) or gold not in range(len(_LETTERS)):
        message = f"{len(choices)} choices and the label {gold!r}"
        raise UserError(Finding(message, place, "a row has four choices and a label from 0 to 3"))
    return {"ctx": row["query"], **dict(zip(_LETTERS, choices, strict=True)), "label": gold}
