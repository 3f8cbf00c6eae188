"""Answers of a model that a file gives: a predictions file, or a list as AlpacaEval publishes them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tasks.data.interface import LoadedDataset
from tasks.data.paths import find_data_path
from tasks.score.files.predictions import status_of
from tasks.score.score_error import ScoreError
from tasks.spec.storage.json_text import parse_json

_QUESTIONS = ("instruction", "question", "prompt")
_ANSWERS = ("output", "prediction", "answer")


def given_file(path: str, dataset: str) -> Path:
    """The file of given answers: `path` itself, or `<dataset>.json` in it; ScoreError if there is none."""
    found = find_data_path(path)
    if found is None:
        raise ScoreError(f"given_pred: there is nothing at {path}")
    if found.is_file():
        return found
    file = found / f"{dataset}.json"
    if not file.is_file():
        raise ScoreError(f"given_pred: {found} has no file {file.name}")
    return file


def given_answers(file: Path, rows: Sequence[int], data: LoadedDataset) -> list[Any]:
    """The answers to rows of the whole split; ScoreError if the file is of other questions.

    None stands where the file says that no answer could be had.
    """
    answers = list(_answers(file))
    if len(answers) < len(data.test):
        raise ScoreError(f"{file} answers {len(answers)} rows, and the dataset has {len(data.test)}")
    for row in rows:
        question = answers[row][0]
        if question is not None and question not in data.test[row].values():
            raise ScoreError(f"{file}: entry {row} answers another question than row {row} asks")
    return [answers[row][1] for row in rows]


def _answers(file: Path) -> Iterator[tuple[str | None, Any]]:
    """Question (None where the file has none) and answer of every row, in the order of the data.

    The file is a predictions file, or a list of objects with an `output` as AlpacaEval publishes them.
    """
    try:
        content = parse_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise ScoreError(f"{file} cannot be read: {error}") from error
    records: list[Any]
    if isinstance(content, dict):
        keyed = cast(Mapping[str, Any], content)
        records = [keyed.get(str(number)) for number in range(len(keyed))]
    else:
        records = content if isinstance(content, list) else []
    for number, record in enumerate(records):
        name = next((key for key in _ANSWERS if isinstance(record, dict) and key in record), None)
        if name is None:
            raise ScoreError(f"{file}: entry {number} has no answer under {', '.join(_ANSWERS)}")
        yield next((record[key] for key in _QUESTIONS if key in record), None), _answer(record, name)


def _answer(record: Mapping[str, Any], name: str) -> Any:
    """None where the file says that no answer could be had."""
    return record[name] if name != "prediction" or status_of(dict(record)).in_denominator else None
