"""MT-Bench: 80 questions of two turns in eight fields (Zheng et al. 2023, arXiv:2306.05685)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.spec.findings import Finding, Place, UserError

_QUESTIONS = "question.jsonl"
_REFERENCES = Path("reference_answer", "gpt-4.jsonl")
_FIELDS = {
    "mtbench_0.0": ("math", "coding", "reasoning", "extraction"),
    "mtbench_0.1": ("stem", "humanities"),
    "mtbench_0.7": ("writing", "roleplay"),
}
"""The fields that are asked at one temperature, by the name that OpenCompass gives them together."""


class MTBenchDataset(BaseDataset):
    """Columns `dialogue`, `capability`, `judge`, and `question_1`, `reference_1`, …; references may be empty."""

    @staticmethod
    def load(
        path: str = "data/subjective/mtbench",
        name: str = "mtbench",
        judge_type: str = "single",  # noqa: ARG004
    ) -> list[dict[str, Any]]:
        """From the folder `path`: `<name>.json` of OpenCompass, or the authors' `question.jsonl` and their references.

        `mtbench_0.0`, `mtbench_0.1` and `mtbench_0.7` are the fields that are asked at that temperature. `judge_type`
        is accepted for compatibility: the evaluator's prompts say what judges are asked.
        """
        file = file_in(path, f"{name}.json", _QUESTIONS)
        if file.name != _QUESTIONS:
            rows = enumerate(read_json_rows(file))
            return [_from_dialogue(row, Place(str(file), key=f"[{index}]")) for index, row in rows]
        references = _references(file.parent / _REFERENCES)
        lines = enumerate(read_jsonl(file), 1)
        rows = [_from_question(row, references, Place(str(file), number)) for number, row in lines]
        return [row for row in rows if name not in _FIELDS or row["capability"] in _FIELDS[name]]


def _references(file: Path) -> dict[Any, list[str]]:
    """The reference answers by question; only some fields have any."""
    if not file.is_file():
        return {}
    return {row["question_id"]: row["choices"][0]["turns"] for row in read_jsonl(file)}


def _from_question(row: Mapping[str, Any], references: Mapping[Any, list[str]], place: Place) -> dict[str, Any]:
    if not row.get("turns") or "category" not in row:
        raise UserError(Finding("the row is no question", place, "a question has 'turns' and a 'category'"))
    return _row(row["turns"], references.get(row.get("question_id"), []), row["category"], row.get("question_id"))


def _from_dialogue(row: Mapping[str, Any], place: Place) -> dict[str, Any]:
    dialogue = row.get("dialogue")
    if not isinstance(dialogue, list) or "capability" not in row:
        raise UserError(Finding("the row is no dialogue", place, "a row has a 'dialogue' and a 'capability'"))
    turns = [message["content"] for message in dialogue if message["role"] == "user"]
    others = row.get("others") or {}
    references = [others.get(f"ref_answer_{number}") or "" for number in range(1, len(turns) + 1)]
    return _row(turns, references, row["capability"], others.get("question_id"))


def _row(turns: list[str], references: list[str], capability: str, number: Any) -> dict[str, Any]:
    dialogue = [message for turn in turns for message in _round(turn)]
    judge = {"capability": capability, "question_id": number}
    columns: dict[str, Any] = {"dialogue": dialogue, **judge, "judge": judge}
    for index, turn in enumerate(turns):
        columns[f"question_{index + 1}"] = turn
        columns[f"reference_{index + 1}"] = references[index] if index < len(references) else ""
    return columns


def _round(question: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": question}, {"role": "assistant", "content": ""}]
