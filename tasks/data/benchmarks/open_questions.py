"""Open questions with short answers: Natural Questions, TriviaQA, DROP, StrategyQA, SimpleQA.

Kwiatkowski et al. 2019; Joshi et al. 2017 (arXiv:1705.03551); Dua et al. 2019 (arXiv:1903.00161); Geva et al. 2021
(arXiv:2101.02235); Wei et al. 2024 (arXiv:2411.04368).
"""

import ast
import csv
from pathlib import Path
from typing import Any

from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows
from tasks.data.sources import HubFile, source_files, source_rows
from tasks.spec.findings import Finding, Place, UserError

Splits = dict[str, list[dict[str, Any]]]


class NaturalQuestionDataset(BaseDataset):
    """Columns `question` and `answer`: the accepted answers, in the split `dev` the first of them."""

    @staticmethod
    def load(path: str = "opencompass/natural_question") -> Splits:
        """From `nq-dev.qa.csv` and `nq-test.qa.csv` in the folder `path`."""
        return {
            split: _first_answers(rows) if split == "dev" else rows
            for split, rows in _tabbed(path, "nq-{}.qa.csv").items()
        }


class NQOpenDataset(BaseDataset):
    """Columns `question` and `answer`: the accepted answers, in the split `train` the first of them."""

    @staticmethod
    def load(path: str = "opencompass/nq_open") -> Splits:
        """From `nq-open-{train,validation}.jsonl` in the folder `path`, or from the hub."""
        return {
            "train": _first_answers(_nq_open(path, "train")),
            "validation": _nq_open(path, "validation"),
        }


class TriviaQADataset(BaseDataset):
    """Columns `question` and `answer`: the accepted answers, in the split `test` the first of them."""

    @staticmethod
    def load(path: str = "opencompass/trivia_qa") -> Splits:
        """From `trivia-dev.qa.csv` and `trivia-test.qa.csv` in the folder `path`."""
        return {
            split: _first_answers(rows) if split == "test" else rows
            for split, rows in _tabbed(path, "trivia-{}.qa.csv").items()
        }


class TriviaQADatasetV2(BaseDataset):
    """Questions about Wikipedia: columns `question` and `answer`; splits `train` and `validation`."""

    @staticmethod
    def load(path: str = "opencompass/trivia_qa") -> Splits:
        """From `triviaqa-{train,validation}.jsonl` in the folder `path`, or from the hub."""
        return {split: _trivia(path, split) for split in ("train", "validation")}


class DropOpenAIDataset(BaseDataset):
    """Columns `prompt` (a passage with its question) and `answers`, divided by vertical bars; split `validation`."""

    @staticmethod
    def load(path: str = "data/drop_simple_eval/dev.jsonl") -> Splits:
        """From a file of JSON lines with `context` and `ref_text`, as OpenAI's simple-evals have it."""
        rows = source_rows(path, "dev.jsonl")
        return {"validation": [{"prompt": row["context"], "answers": row["ref_text"]} for row in rows]}


class StrategyQADataset(BaseDataset):
    """Columns `question`, `answer` (yes or no) and `facts`, where the file has them."""

    @staticmethod
    def load(path: str = "opencompass/strategy_qa") -> list[dict[str, Any]]:
        """From a JSON file that is a list of questions, or `strategyQA_train.json` in a folder."""
        [file] = source_files(path, "strategyQA_train.json")
        return [_decided(row, file) for row in read_json_rows(file)]


class SimpleQADataset(BaseDataset):
    """Columns `problem`, `answer` and `metadata`; the same rows as `train` and `test`."""

    @staticmethod
    def load(path: str = "opencompass/simpleqa") -> Splits:
        """From a CSV file, or `simple_qa_test_set.csv` in a folder, or the hub."""
        hub = HubFile("basicv8vc/SimpleQA", "simple_qa_test_set.csv")
        rows = list(source_rows(path, "simple_qa_test_set.csv", hub=[hub]))
        return {"train": rows, "test": rows}


def _nq_open(path: str, split: str) -> list[dict[str, Any]]:
    hub = HubFile("google-research-datasets/nq_open", f"nq_open/{split}-00000-of-00001.parquet")
    return list(source_rows(path, f"nq-open-{split}.jsonl", hub=[hub]))


def _trivia(path: str, split: str) -> list[dict[str, Any]]:
    """The hub's copy has an object with all names of an answer."""
    hub = HubFile("mandarjoshi/trivia_qa", f"rc.wikipedia.nocontext/{split}-00000-of-00001.parquet")
    rows = source_rows(path, f"triviaqa-{split}.jsonl", hub=[hub])
    return [
        {"question": row["question"], "answer": row["answer"]["aliases"]} if isinstance(row["answer"], dict) else row
        for row in rows
    ]


def _first_answers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For examples, which show one answer."""
    return [{**row, "answer": row["answer"][0]} for row in rows]


def _tabbed(path: str, name: str) -> Splits:
    return {split: _read_tabbed(file_in(path, name.format(split))) for split in ("dev", "test")}


def _read_tabbed(file: Path) -> list[dict[str, Any]]:
    """Lines of a question, a tabulator and the list of accepted answers, written as Python writes it."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            _line(fields, Place(str(file), number)) for number, fields in enumerate(csv.reader(lines, "excel-tab"), 1)
        ]


def _line(fields: list[str], place: Place) -> dict[str, Any]:
    try:
        question, written = fields
        answers = ast.literal_eval(written)
    except (ValueError, SyntaxError):
        answers = None
    if not isinstance(answers, list) or not answers:
        remedy = "a line is a question, a tabulator, and a list of answers: ['one', 'another']"
        raise UserError(Finding("no question with its answers", place, remedy))
    return {"question": question, "answer": [str(answer) for answer in answers]}


def _decided(row: dict[str, Any], file: Path) -> dict[str, Any]:
    if not isinstance(row.get("answer"), bool):
        message = f"the question {row.get('question')!r:.60} has the answer {row.get('answer')!r}"
        raise UserError(Finding(message, Place(str(file)), "answers are true and false"))
    return {**row, "answer": "yes" if row["answer"] else "no"}
