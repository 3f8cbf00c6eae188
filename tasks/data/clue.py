"""CLUE and FewCLUE (Xu et al. 2020, 2021): OCNLI, 2,950 pairs of Chinese sentences, and CMRC, 3,219 questions."""

from pathlib import Path
from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.data.sources import source_files
from tasks.spec.findings import Finding, Place, UserError

_LETTERS = {"entailment": "A", "contradiction": "B", "neutral": "C"}
_UNDECIDED = "-"


class OCNLIDataset(BaseDataset):
    """Columns `sentence1`, `sentence2` and `label`: entailment, contradiction or neutral."""

    @staticmethod
    def load(path: str = "opencompass/OCNLI-dev") -> list[dict[str, Any]]:
        """From a file of JSON lines, or `dev.json` in a folder, without pairs that the annotators left undecided."""
        [file] = source_files(path, "dev.json", "dev_few_all.jsonl")
        return [
            {"sentence1": row["sentence1"], "sentence2": row["sentence2"], "label": _label(row, Place(str(file), line))}
            for line, row in enumerate(read_jsonl(file), 1)
            if row.get("label") != _UNDECIDED
        ]


class CMNLIDatasetV2(OCNLIDataset):
    """The same; `label` is A, B or C. OpenCompass reads OCNLI by this name too."""

    @staticmethod
    def load(path: str = "opencompass/OCNLI-dev") -> list[dict[str, Any]]:
        return [{**row, "label": _LETTERS[row["label"]]} for row in OCNLIDataset.load(path)]


class CMRCDataset(BaseDataset):
    """Columns `context`, `question` and `answers`, those accepted."""

    @staticmethod
    def load(path: str = "opencompass/cmrc_dev") -> list[dict[str, Any]]:
        """From a file in the form of SQuAD, or `dev.json` in a folder."""
        [file] = source_files(path, "dev.json")
        return [
            _question(paragraph, question, file) for paragraph in _paragraphs(file) for question in paragraph["qas"]
        ]


def _label(row: dict[str, Any], place: Place) -> str:
    if row.get("label") not in _LETTERS:
        raise UserError(Finding(f"{row.get('label')!r} is no label", place, f"labels are {', '.join(_LETTERS)}"))
    return row["label"]


def _paragraphs(file: Path) -> list[dict[str, Any]]:
    return [paragraph for article in read_json_rows(file, key="data") for paragraph in article["paragraphs"]]


def _question(paragraph: dict[str, Any], question: dict[str, Any], file: Path) -> dict[str, Any]:
    answers = list(dict.fromkeys(answer["text"] for answer in question["answers"]))
    if not any(answer.strip() for answer in answers):
        message = f"the question {question.get('id')!r} has no answer"
        raise UserError(Finding(message, Place(str(file)), "a question has a list of answers, each with its text"))
    return {"context": paragraph["context"], "question": question["question"], "answers": answers}
