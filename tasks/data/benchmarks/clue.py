"""CLUE and FewCLUE (Xu et al. 2020, 2021): OCNLI, 2,950 pairs of Chinese sentences, and CMRC, 3,219 questions."""

from pathlib import Path
from typing import Any

from tasks.data.files import read_jsonl, read_parquet
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.data.sources import HubFile, source_files
from tasks.spec.findings import Finding, Place, UserError

_LETTERS = {"entailment": "A", "contradiction": "B", "neutral": "C"}
_UNDECIDED = ("-", -1)
_HUB_LABELS = {0: "neutral", 1: "entailment", 2: "contradiction"}
_OCNLI_HUB = HubFile("clue/clue", "ocnli/validation-00000-of-00001.parquet")
_CMRC_HUB = HubFile("hfl/cmrc2018", "data/validation-00000-of-00001.parquet")


class OCNLIDataset(BaseDataset):
    """Columns `sentence1`, `sentence2` and `label`: entailment, contradiction or neutral."""

    @staticmethod
    def load(path: str = "opencompass/OCNLI-dev") -> list[dict[str, Any]]:
        """From a file of JSON lines, or `dev.json` in a folder, or the hub, without pairs that were left undecided."""
        [file] = source_files(path, "dev.json", "dev_few_all.jsonl", hub=[_OCNLI_HUB])
        rows = read_parquet(file) if file.suffix == ".parquet" else read_jsonl(file)
        return [
            {"sentence1": row["sentence1"], "sentence2": row["sentence2"], "label": _label(row, Place(str(file), line))}
            for line, row in enumerate(rows, 1)
            if row.get("label") not in _UNDECIDED
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
        """From a file in the form of SQuAD, or `dev.json` in a folder, or the hub."""
        [file] = source_files(path, "dev.json", hub=[_CMRC_HUB])
        if file.suffix == ".parquet":
            rows = read_parquet(file)
            return [_answered(row["context"], row["question"], row["answers"]["text"], row["id"], file) for row in rows]
        return [
            _answered(paragraph["context"], question["question"], _texts(question), question.get("id"), file)
            for paragraph in _paragraphs(file)
            for question in paragraph["qas"]
        ]


def _label(row: dict[str, Any], place: Place) -> str:
    label = _HUB_LABELS.get(row["label"], row["label"]) if "label" in row else None
    if label not in _LETTERS:
        raise UserError(Finding(f"{label!r} is no label", place, f"labels are {', '.join(_LETTERS)}"))
    return label


def _paragraphs(file: Path) -> list[dict[str, Any]]:
    return [paragraph for article in read_json_rows(file, key="data") for paragraph in article["paragraphs"]]


def _texts(question: dict[str, Any]) -> list[str]:
    return [answer["text"] for answer in question["answers"]]


def _answered(context: str, question: str, texts: list[str], key: Any, file: Path) -> dict[str, Any]:
    answers = list(dict.fromkeys(texts))
    if not any(answer.strip() for answer in answers):
        message = f"the question {key!r} has no answer"
        raise UserError(Finding(message, Place(str(file)), "a question has a list of answers, each with its text"))
    return {"context": context, "question": question, "answers": answers}
