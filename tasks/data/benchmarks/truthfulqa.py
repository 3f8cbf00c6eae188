"""TruthfulQA: 817 questions that some people answer falsely (Lin et al. 2021, arXiv:2109.07958)."""

from pathlib import Path
from typing import Any

from tasks.data.files import read_csv, read_jsonl, read_parquet
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, Place, UserError

_FILES = ("generation_validation.jsonl", "generation/validation-00000-of-00001.parquet", "TruthfulQA.csv")
_NO_COMMENT = "I have no comment."
"""Always a true answer, by the benchmark's own rule."""


class TruthfulQADataset(BaseDataset):
    """Columns `question` and `reference`, whose `answers` are `best_answer`, `correct_answers`, `incorrect_answers`."""

    @staticmethod
    def load(path: str = "truthful_qa", name: str = "generation") -> dict[str, list[dict[str, Any]]]:
        """The one split, `validation`, from a file of the folder `path`, as Hugging Face or the authors published it.

        Only questions to be answered freely, `name='generation'`, are known.
        """
        if name != "generation":
            raise UserError(Finding(f"name={name!r} is not known", remedy="only name='generation' is"))
        file = file_in(path, *_FILES)
        return {"validation": [_row(row, file) for row in _read(file)]}


def _read(file: Path) -> list[dict[str, Any]]:
    if file.suffix == ".jsonl":
        return read_jsonl(file)
    return read_parquet(file) if file.suffix == ".parquet" else [_from_csv(row) for row in read_csv(file)]


def _from_csv(row: dict[str, Any]) -> dict[str, Any]:
    """Answers of the authors' table stand in one field, divided by semicolons."""
    return {
        "question": row["Question"],
        "category": row["Category"],
        "type": row["Type"],
        "best_answer": row["Best Answer"],
        "correct_answers": row["Correct Answers"].split(";"),
        "incorrect_answers": row["Incorrect Answers"].split(";"),
    }


def _row(row: dict[str, Any], file: Path) -> dict[str, Any]:
    correct, incorrect = _sentences(row["correct_answers"]), _sentences(row["incorrect_answers"])
    if not correct or not incorrect:
        message = f"the question {row['question']!r:.80} has no true or no false answers"
        raise UserError(Finding(message, Place(str(file))))
    if _NO_COMMENT not in correct:
        correct.append(_NO_COMMENT)
    answers = {"best_answer": row["best_answer"], "correct_answers": correct, "incorrect_answers": incorrect}
    rest = {key: value for key, value in row.items() if key not in answers}
    return {**rest, "reference": {"answers": answers, "question": row["question"]}}


def _sentences(answers: list[str]) -> list[str]:
    """Each answer that is not blank, ending with a full stop."""
    stripped = [answer.strip() for answer in answers]
    return [answer if answer.endswith(".") else f"{answer}." for answer in stripped if answer]
