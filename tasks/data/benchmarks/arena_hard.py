"""Arena-Hard: 500 hard questions of users (Li et al. 2024, arXiv:2406.11939)."""

from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError


class ArenaHardDataset(BaseDataset):
    """Columns `question`, `capability` (the question's cluster), `question_id`, and `judge` with all of them."""

    @staticmethod
    def load(path: str = "data/subjective/arena_hard", name: str = "arenahard") -> list[dict[str, Any]]:
        """From `<name>.jsonl` in the folder `path`, as the authors published it; only first turns are asked."""
        file = file_in(path, f"{name}.jsonl", "question.jsonl")
        return [_row(row, Place(str(file), number)) for number, row in enumerate(read_jsonl(file), 1)]


def _row(row: dict[str, Any], place: Place) -> dict[str, Any]:
    turns = row.get("turns")
    question = turns[0].get("content") if isinstance(turns, list) and turns and isinstance(turns[0], dict) else None
    if not isinstance(question, str):
        remedy = "a row has 'turns', of which the first has a text as 'content'"
        raise UserError(Finding("the row has no question", place, remedy))
    columns = {
        "question": question,
        "capability": row.get("cluster") or row.get("category", ""),
        "question_id": row.get("question_id"),
    }
    return {**columns, "judge": columns}
