"""Takes over answers from predictions files that OpenCompass wrote.

Finished files, shards and checkpoints (`D.json`, `D_0.json`, `tmp_D.jsonl`) hold the prompt of every
answer. An answer is taken over where that prompt equals the one rendered now; which model gave it
cannot be verified, and its record says so.
"""

import logging
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

from tasks.infer.lengths import without_lengths
from tasks.models.interface import Completion
from tasks.spec.chat import Prompt
from tasks.spec.status import Status
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.json_text import parse_json
from tasks.spec.storage.run_folder import Pair, RunFolder

_log = logging.getLogger(__name__)
NOTE = "answer taken over from a file of OpenCompass; the model's settings could not be verified"


class AdoptedAnswers:
    """Answers by prompt; equal prompts are handed out in the order of the files, each once."""

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        self._answers: dict[str, deque[Any]] = defaultdict(deque)
        for record in records:
            if "status" not in record and "origin_prompt" in record and "prediction" in record:
                self._answers[digest(without_lengths(record["origin_prompt"]))].append(record["prediction"])

    def __len__(self) -> int:
        return sum(len(answers) for answers in self._answers.values())

    def __call__(self, prompt: Prompt) -> Completion | None:
        answers = self._answers.get(digest(prompt))
        if not answers:
            return None
        prediction = answers.popleft()
        texts: tuple[Any, ...] = tuple(cast(list[Any], prediction)) if isinstance(prediction, list) else (prediction,)
        if not all(isinstance(text, str) for text in texts):
            return None
        return Completion(Status.OK if any(texts) else Status.EMPTY, texts, attempts=0, note=NOTE)


def adoptable_answers(folder: RunFolder, pair: Pair) -> AdoptedAnswers | None:
    """What files of OpenCompass in this run folder hold for the pair; None if there is nothing."""
    answers = AdoptedAnswers(record for path in _files(folder.predictions(pair)) for record in _records(path))
    if not len(answers):
        return None
    _log.warning("%s/%s: %d stored answers can be taken over where the prompt is unchanged", *pair, len(answers))
    return answers


def _files(predictions: Path) -> list[Path]:
    shard = re.compile(rf"(tmp_)?{re.escape(predictions.stem)}(_\d+)?\.jsonl?")
    if not predictions.parent.is_dir():
        return []
    return sorted(path for path in predictions.parent.iterdir() if shard.fullmatch(path.name))


def _records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return
    if path.suffix == ".jsonl":
        yield from filter(None, map(_parse, text.split("\n")))
        return
    data = _parse(text)
    yield from (record for record in (data or {}).values() if isinstance(record, dict))


def _parse(text: str) -> dict[str, Any] | None:
    try:
        data = parse_json(text)
    except ValueError:
        return None
    return cast(dict[str, Any], data) if isinstance(data, dict) else None
