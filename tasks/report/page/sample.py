"""What the page shows of one sample: its prediction and what scoring found in it, side by side."""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from tasks.report.sample_details import SampleDetail, sample_details
from tasks.score.files.predictions import Record, read_predictions, status_of
from tasks.score.interface import VERDICTS
from tasks.score.metrics.replicas import is_guess
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair, RunFolder

LONGEST = 20_000
"""Characters of one text that the page holds."""
_SHOWN_ELSEWHERE = frozenset({"origin_prediction", "pred", "answer", "status", "rule", *VERDICTS})
_OF_RECORD = frozenset(
    {"origin_prompt", "prediction", "reasoning", "gold", "status", "finish_reason", "error", "note", "usage"}
    | {"latency", "attempts", "in-context examples"}
)
_OPTION = "label: "


class Found(StrEnum):
    """Whether an answer was read from a prediction; each begins with a letter of its own."""

    STATED = "stated"
    GUESSED = "guessed"
    UNPARSED = "unparsed"
    AMBIGUOUS = "ambiguous"
    NOTHING = "nothing to read"


class StoredSample(NamedTuple):
    """One sample as the files of a run hold it."""

    record: Record
    detail: SampleDetail | None
    """None where it was not scored, or no details were kept."""
    status: Status

    @property
    def verdict(self) -> bool | None:
        """Whether it is right, where anything says so."""
        return self.detail.verdict if self.detail else None

    @property
    def found(self) -> Found:
        rule = self.detail.fields.get("rule") if self.detail else None
        if rule in (Found.UNPARSED, Found.AMBIGUOUS):
            return Found(rule)
        if not isinstance(rule, str):
            return Found.NOTHING
        return Found.GUESSED if is_guess(rule) else Found.STATED


def stored_samples(folder: RunFolder, pair: Pair, repeats: int) -> Iterator[StoredSample]:
    """The samples of a pair, row by row and repeat by repeat; memory holds one row.

    Predictions hold one pass over the rows after the other. ScoreError, OSError or ValueError where a file cannot be
    read.
    """
    count = sum(1 for _ in read_predictions(folder, pair)) if repeats > 1 else 0
    rows = count // repeats
    starts = range(0, rows * repeats, rows) if rows else (0,)
    passes = [read_predictions(folder, pair, start) for start in starts]
    results = folder.results(pair)
    details = sample_details(results, pair.dataset) if results.is_file() else iter(())
    for row, record in enumerate(passes[0]):
        if rows and row == rows:
            return
        for repeat in (record, *map(next, passes[1:])):
            yield StoredSample(repeat, next(details, None), status_of(repeat))


def shown(sample: StoredSample) -> dict[str, Any]:
    """The sample as the page gets it: texts of bounded length, absent fields left out."""
    record, detail = sample.record, sample.detail.fields if sample.detail else {}
    fields = {
        "name": sample.detail.key.row if sample.detail else None,
        "prompt": _prompt(record.get("origin_prompt", record.get("prompt"))),
        "options": _options(record),
        "prediction": _text(record.get("prediction", detail.get("origin_prediction"))),
        "reasoning": _text(record.get("reasoning")),
        "reference": _text(detail.get("answer", record.get("gold"))),
        "answer": _text(detail.get("pred")),
        "rule": _text(detail.get("rule")),
        "error": _text(record.get("error")),
        "note": _text(record.get("note")),
        "finish": record.get("finish_reason"),
        "tokens": _numbers(record.get("usage")),
        "latency": record.get("latency"),
        "said": _others(detail, _SHOWN_ELSEWHERE),
        "more": _others(record, _OF_RECORD),
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _prompt(prompt: Any) -> list[list[str]]:
    """Pairs of role and text; the role of a plain text is empty."""
    if prompt is None:
        return []
    if not isinstance(prompt, list):
        return [["", str(_text(prompt))]]
    return [
        [str(message.get("role", "")), str(_text(message.get("prompt", message.get("content"))))]
        if isinstance(message, Mapping)
        else ["", str(_text(message))]
        for message in prompt
    ]


def _options(record: Record) -> list[list[str]]:
    """Label and likelihood measure of each option that was weighed."""
    return [
        [key.removeprefix(_OPTION), ", ".join(f"{name} {value:.4g}" for name, value in _numbers(option).items())]
        for key, option in record.items()
        if key.startswith(_OPTION) and isinstance(option, Mapping)
    ]


def _others(values: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    return {
        key: _text(value)
        for key, value in values.items()
        if key not in known and not key.startswith(_OPTION) and value is not None
    }


def _numbers(values: Any) -> dict[str, float]:
    if not isinstance(values, Mapping):
        return {}
    return {k: v for k, v in values.items() if isinstance(v, int | float) and not isinstance(v, bool)}


def _text(value: Any) -> str | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2, default=str)
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}… ({len(text):,} characters, of which the first {LONGEST:,} are shown)"
