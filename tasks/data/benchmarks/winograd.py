"""The Winograd Schema Challenge, 285 sentences with a pronoun (Levesque, Davis and Morgenstern 2012)."""

from typing import Any

from tasks.data.custom import read_rows
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_COLUMNS = ("text", "pronoun", "options", "label")


class winogradDataset(BaseDataset):  # noqa: N801  OpenCompass's name
    """Columns `text`, `pronoun`, `opt1`, `opt2`, `label` (0 or 1) and `answer` (`A` or `B`)."""

    @staticmethod
    def load(
        path: str = "winograd_wsc",
        name: str = "wsc285",
        trust_remote_code: bool = False,  # noqa: ARG004
    ) -> list[dict[str, Any]]:
        """From `<name>.jsonl` or `<name>.parquet` in the folder `path`, with the columns of the Hugging Face copy.

        `trust_remote_code` is accepted for compatibility: no code of others is run.
        """
        file = file_in(path, f"{name}.jsonl", f"{name}.parquet")
        return [_row(row, Place(str(file), number)) for number, row in enumerate(read_rows(file), 1)]


def _row(row: dict[str, Any], place: Place) -> dict[str, Any]:
    missing = [column for column in _COLUMNS if column not in row]
    if missing or len(row["options"]) != 2 or row["label"] not in (0, 1):
        problem = f"there is no column {missing[0]!r}" if missing else "a row has two options and the label 0 or 1"
        raise UserError(Finding(problem, place, f"the columns are {', '.join(_COLUMNS)}"))
    first, second = row["options"]
    common = {"text": row["text"], "pronoun": row["pronoun"], "opt1": first, "opt2": second}
    return {**common, "label": row["label"], "answer": "AB"[row["label"]]}
