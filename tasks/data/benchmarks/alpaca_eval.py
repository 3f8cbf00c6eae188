"""AlpacaEval: 805 instructions whose answers are compared with those of another model (github.com/tatsu-lab)."""

from typing import Any

from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.spec.findings import Finding, Place, UserError


class AlpacaEvalDataset(BaseDataset):
    """Columns `question`, `capability` (the set of instructions that it comes from), and `judge` with both."""

    @staticmethod
    def load(path: str = "data/subjective/alpaca_eval", name: str = "alpaca_eval") -> list[dict[str, Any]]:
        """From `<name>.json` in the folder `path`, with `question` (OpenCompass) or `instruction` (the authors)."""
        file = file_in(path, f"{name}.json")
        return [_row(row, Place(str(file), key=f"[{index}]")) for index, row in enumerate(read_json_rows(file))]


def _row(row: dict[str, Any], place: Place) -> dict[str, Any]:
    question = row.get("question", row.get("instruction"))
    if not isinstance(question, str):
        raise UserError(Finding("the row has no question", place, "a row has a text under 'question' or 'instruction'"))
    columns = {"question": question, "capability": row.get("capability", row.get("dataset", ""))}
    return {**columns, "judge": columns}
