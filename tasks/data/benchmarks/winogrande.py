"""WinoGrande: 1,267 sentences with a gap that one of two names fills (Sakaguchi et al. 2019, arXiv:1907.10641)."""

from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_GAP = "_"


class WinograndeDataset(BaseDataset):
    """Columns `prompt` (the sentence with its gap), `only_option1`, `only_option2` (the names), `opt1`, `opt2` (the
    sentence with a name in the gap), `cont` (what stands behind the gap), and `answer`, 1 or 2.
    """

    @staticmethod
    def load(path: str = "opencompass/winogrande") -> list[dict[str, Any]]:
        """From `dev.jsonl` in the folder `path`."""
        file = file_in(path, "dev.jsonl")
        return [_row(row, Place(str(file), number)) for number, row in enumerate(read_jsonl(file), 1)]


class WinograndeDatasetV2(WinograndeDataset):
    """The same with a letter as `answer`."""

    @staticmethod
    def load(path: str = "opencompass/winogrande") -> list[dict[str, Any]]:
        """From `dev.jsonl` in the folder `path`."""
        return [row | {"answer": " AB"[row["answer"]]} for row in WinograndeDataset.load(path)]


def _row(row: dict[str, Any], place: Place) -> dict[str, Any]:
    before, gap, after = row["sentence"].partition(_GAP)
    if not gap or row["answer"] not in ("1", "2"):
        raise UserError(Finding("no gap or no answer", place, "a sentence has a gap '_', and the answer is 1 or 2"))
    return {
        "prompt": row["sentence"],
        "only_option1": row["option1"],
        "only_option2": row["option2"],
        "opt1": before + row["option1"] + after,
        "opt2": before + row["option2"] + after,
        "cont": after,
        "answer": int(row["answer"]),
    }
