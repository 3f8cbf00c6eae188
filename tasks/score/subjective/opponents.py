"""The answers of the models that one is compared with: from the run's predictions, or from files that are given."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import orjson

from tasks.data.interface import LoadedDataset, PlannedRow
from tasks.data.paths import find_data_path
from tasks.score.predictions import read_predictions, status_of
from tasks.score.sample_reader import SampleReader
from tasks.score.samples import SampleView
from tasks.score.score_error import ScoreError
from tasks.score.subjective.contest import Side
from tasks.score.totals import Totals
from tasks.spec.run_folder import Pair, RunFolder
from tasks.spec.specs import DatasetSpec, Opponent

_QUESTIONS = ("instruction", "question", "prompt")
_ANSWERS = ("output", "prediction", "answer")


def opponent_side(
    opponent: Opponent,
    samples: SampleView,
    folder: RunFolder,
    dataset: DatasetSpec,
    data: LoadedDataset,
    search_path: Sequence[str],
) -> Side:
    """The opponent's answers to the samples' rows; ScoreError naming what is missing."""
    planned = [samples.samples.rows[position] for position in samples.positions]
    if opponent.given is not None:
        return Side(opponent.abbr, _given(opponent.abbr, opponent.given, dataset, data, planned))
    if opponent.model is None:
        raise ScoreError(f"{opponent.abbr}, which it is compared with, is no model of the run")
    pair = Pair(opponent.abbr, dataset.abbr)
    try:
        records = read_predictions(folder, pair)
        read = SampleReader(opponent.model, dataset, search_path, wanted=()).read(
            records, samples.samples.rows, Totals()
        )
    except ScoreError as error:
        raise ScoreError(f"{opponent.abbr}, which it is compared with: {error}") from error
    if len(read) < len(samples.samples.rows):
        missing = f"{len(read)} of {len(samples.samples.rows)} samples have predictions"
        raise ScoreError(f"{opponent.abbr}, which it is compared with, is not complete: {missing}")
    answers = [
        read.extracted[position].handed if read.statuses[position].in_denominator else None
        for position in samples.positions
    ]
    return Side(opponent.abbr, answers)


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


def _given(abbr: str, path: str, dataset: DatasetSpec, data: LoadedDataset, planned: Sequence[PlannedRow]) -> list[Any]:
    file = given_file(path, dataset.abbr)
    answers = list(_answers(file))
    if len(answers) < len(data.test):
        raise ScoreError(f"{file} has answers of {abbr} to {len(answers)} rows, and the dataset has {len(data.test)}")
    for item in planned:
        question = answers[item.row][0]
        if question is not None and question not in data.test[item.row].values():
            raise ScoreError(f"{file}: entry {item.row} answers another question than row {item.row} asks")
    return [answers[item.row][1] for item in planned]


def _answers(file: Path) -> Iterator[tuple[str | None, Any]]:
    """Question (None where the file has none) and answer of every row, in the order of the data.

    The file is a predictions file, or a list of objects with an `output` as AlpacaEval publishes them.
    """
    try:
        content = orjson.loads(file.read_bytes())
    except (OSError, orjson.JSONDecodeError) as error:
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
