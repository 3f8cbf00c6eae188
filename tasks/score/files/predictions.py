"""Reads the predictions of a pair, as this system or OpenCompass wrote them."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tasks.infer.predictions_record import read_collected
from tasks.score.files.record_slices import is_sliceable, record_slices
from tasks.score.score_error import ScoreError
from tasks.spec.status import Status
from tasks.spec.storage.json_stream import json_entries
from tasks.spec.storage.json_text import each_once, load_json, parse_json
from tasks.spec.storage.run_folder import Pair, RunFolder

Record = dict[str, Any]
_LARGE = 32 << 20
"""Bytes from which on a file is read record by record."""


def prediction_files(folder: RunFolder, pair: Pair) -> list[Path]:
    """`<dataset>.json`, else its shards `<dataset>_0.json`, `<dataset>_1.json`, …; ScoreError if there is neither."""
    whole = folder.predictions(pair)
    if whole.is_file():
        return [whole]
    shards: list[Path] = []
    while (shard := _shard(whole, len(shards))).is_file():
        shards.append(shard)
    if not shards:
        later = _shards_from(whole, 0)
        raise ScoreError(
            f"no predictions: {later[0].name} is there, {_shard(whole, 0).name} is missing"
            if later
            else "no predictions"
        )
    return shards


def check_predictions(folder: RunFolder, pair: Pair) -> str:
    """What is to be known of the file if it is not what the run wrote; empty if it is, or if the run wrote none.

    ScoreError if it was damaged, which no program and no person did, since its time is still that of the run.
    """
    path, collected = folder.predictions(pair), read_collected(folder, pair)
    state = collected.state_of(path) if collected and path.is_file() else "as written"
    if state == "damaged":
        raise ScoreError(f"{path.name} is damaged: it is not what the run wrote; `-r` without `-m` makes it again")
    return "the predictions file was changed after the run wrote it" if state == "changed" else ""


def read_predictions(folder: RunFolder, pair: Pair, start: int = 0) -> Iterator[Record]:
    """The records in order, from number `start` on; memory holds one at a time where the file is large.

    ScoreError naming the file that is missing or cannot be read.
    """
    for path in prediction_files(folder, pair):
        for record in _sliced(path) if is_sliceable(path) else _records(path):
            if start:
                start -= 1
            else:
                yield record


def missing_shard(folder: RunFolder, pair: Pair) -> str:
    """Name of a shard that is missing while later ones are there; empty if none is."""
    files = prediction_files(folder, pair)
    whole = folder.predictions(pair)
    later = [] if files == [whole] else _shards_from(whole, len(files))
    return f"{_shard(whole, len(files)).name} is missing, {later[0].name} is there" if later else ""


def status_of(record: Record) -> Status:
    """The record's status; records of OpenCompass have none: an empty prediction is `empty`, all else `ok`.

    ScoreError for a status that there is not.
    """
    if record.get("status") is not None:
        try:
            return Status(record["status"])
        except ValueError:
            known = ", ".join(Status)
            raise ScoreError(f"a record has the status {record['status']!r}; there are {known}") from None
    prediction = record.get("prediction", True)
    text = prediction.strip() if isinstance(prediction, str) else prediction
    return Status.EMPTY if text is None or text in ("", []) else Status.OK


def _shard(whole: Path, number: int) -> Path:
    return whole.with_name(f"{whole.name.removesuffix('.json')}_{number}.json")


def _shards_from(whole: Path, number: int) -> list[Path]:
    """Existing shards with a number above `number`."""
    pattern = re.compile(re.escape(whole.name.removesuffix(".json")) + r"_(\d+)\.json")
    names = sorted(path.name for path in whole.parent.glob("*.json")) if whole.parent.is_dir() else []
    numbers = sorted(int(match[1]) for name in names if (match := pattern.fullmatch(name)))
    return [_shard(whole, later) for later in numbers if later > number]


def _records(path: Path) -> Iterator[Record]:
    if path.stat().st_size < _LARGE:
        yield from _in_order(_load(path), path)
        return
    count = 0
    try:
        with path.open("rb") as file:
            for key, record in json_entries(file, ""):
                if key != str(count):
                    raise ScoreError(f"{path.name}: record {key!r} stands where {count} belongs")
                count += 1
                yield record
    except ValueError as error:
        raise ScoreError(f"{path.name} cannot be read behind record {count - 1}: {error}") from error


def _load(path: Path) -> Any:
    try:
        return load_json(path.read_bytes(), each_once)
    except ValueError as error:
        raise ScoreError(f"{path.name} cannot be read: {error}") from error


def _sliced(path: Path) -> Iterator[Record]:
    for count, (key, value) in enumerate(record_slices(path)):
        if key != b"%d" % count:  # in another order, one is missing, or one stands twice
            if key.isdigit() and int(key) < count:
                raise ScoreError(f"{path.name}: record {int(key)} stands twice")
            yield from islice(_records(path), count, None)
            return
        yield _record(value, count, path)


def _record(value: bytes, count: int, path: Path) -> Record:
    try:
        record = parse_json(value)
    except ValueError as error:
        raise ScoreError(f"{path.name} cannot be read behind record {count - 1}: {error}") from error
    if not isinstance(record, dict):
        raise ScoreError(f"{path.name}: record {count} is no object")
    return record


def _in_order(records: Any, path: Path) -> Iterator[Record]:
    if not isinstance(records, dict):
        raise ScoreError(
            f'{path.name} holds a {type(records).__name__} where an object with the keys "0", "1", … belongs'
        )
    for number in range(len(records)):
        record = records.get(str(number))
        if not isinstance(record, dict):
            raise ScoreError(f"{path.name}: record {number} of {len(records)} is missing")
        yield record
