"""`--analysis-repeat`: which answers of a run repeat themselves without end, by model and dataset."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from tasks.models.token_count import local_encoder
from tasks.report.repetition import rules as repetition
from tasks.report.repetition.rules import Encoder, find_repetition, words
from tasks.report.summary.layout import aligned
from tasks.score.files.predictions import Record, read_predictions
from tasks.score.score_error import ScoreError
from tasks.spec.storage.run_folder import Pair, RunFolder, write_json

_CANDIDATES = 0.75
"""Only answers at least as long as this quantile of their pair are looked at."""
_FALLBACK = "gpt-4"


class Part(NamedTuple):
    """A part of every answer that is looked at by itself."""

    name: str
    text: Callable[[Record], str]


@dataclass
class PairRepetition:
    """The answers of one pair, or a part of each."""

    model: str
    dataset: str
    part: str
    tokenizer: str
    lengths: list[int] = field(default_factory=list[int])
    """In tokens, or in words where there is no tokenizer."""
    by_pattern: int = 0
    by_compression: int = 0

    def quantile(self, share: float) -> int:
        """The length that this share of the answers does not exceed; 0 without answers."""
        ordered = sorted(self.lengths)
        return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0

    def to_json(self) -> dict[str, Any]:
        told = {name: value for name, value in asdict(self).items() if name != "lengths"}
        return told | self.statistics()

    def statistics(self) -> dict[str, float]:
        return {
            "samples": len(self.lengths),
            "avg": round(fmean(self.lengths), 1) if self.lengths else 0.0,
            "p75": self.quantile(0.75),
            "p90": self.quantile(0.9),
        }


@dataclass
class RepeatAnalysis:
    """What was found in a run."""

    pairs: list[PairRepetition] = field(default_factory=list[PairRepetition])
    abnormal: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Each with its text."""
    missing: list[str] = field(default_factory=list[str])
    """Pairs without predictions that can be read."""


def whole_answer(record: Record) -> str:
    """The answer with the reasoning before it."""
    return "\n".join(filter(None, [_text(record.get("reasoning")), _text(record.get("prediction"))]))


def reasoning_and_content(tag: str) -> list[Part]:
    """What comes before the last `tag`, with reasoning that the service told apart, and what comes after it."""

    def split(record: Record) -> tuple[str, str]:
        before, _, after = _text(record.get("prediction")).rpartition(tag)
        return "\n".join(filter(None, [_text(record.get("reasoning")), before])), after

    return [Part("reasoning", lambda record: split(record)[0]), Part("content", lambda record: split(record)[1])]


WHOLE = Part("answer", whole_answer)


def analyse_repeats(
    folder: RunFolder,
    pairs: Sequence[Pair],
    tokenizers: Mapping[str, str],
    parts: Sequence[Part] = (WHOLE,),
    done: Callable[[Pair], None] = lambda _: None,
) -> RepeatAnalysis:
    """Looks at the predictions of the pairs; `tokenizers` names one per model, `done` is told of each pair."""
    analysis = RepeatAnalysis()
    encoders = {model: _encoder(tokenizers.get(model)) for model in {pair.model for pair in pairs}}
    for pair in pairs:
        name, encode = encoders[pair.model]
        for part in parts:
            found = PairRepetition(pair.model, pair.dataset, part.name, name)
            try:
                _analyse(analysis, found, folder, pair, part, encode)
            except ScoreError as error:
                analysis.missing.append(f"{pair.model} / {pair.dataset}: {error}")
                break
            analysis.pairs.append(found)
        done(pair)
    return analysis


def write_analysis(analysis: RepeatAnalysis, folder: RunFolder, path: Path, time: str) -> None:
    """`repeat_analysis_<time>.json` with the keys that OpenCompass gives it."""
    settings = {
        "window": repetition.WINDOW,
        "tail_windows": repetition.TAIL_WINDOWS,
        "least_count": repetition.LEAST_COUNT,
        "least_share": repetition.LEAST_SHARE,
        "largest_ratio": repetition.LARGEST_RATIO,
        "candidates_from_quantile": _CANDIDATES,
    }
    overall = {
        part.part: part.statistics() | {"by_pattern": part.by_pattern, "by_compression": part.by_compression}
        for part in _overall(analysis.pairs)
    }
    content = {
        "time": time,
        "work_dir": str(folder.root),
        "settings": settings,
        "summary": overall,
        "missing_prediction_files": analysis.missing,
        "benchmark_stats": [pair.to_json() for pair in analysis.pairs],
        "abnormal_samples": analysis.abnormal,
    }
    write_json(path, content)


def table_of(analysis: RepeatAnalysis) -> str:
    """One row per pair and part, and for all pairs together."""
    columns = ["model", "benchmark", "part", "samples", "avg", "p75", "p90", "pattern rule", "gz rule"]
    rows = [_table_row(pair) for pair in [*analysis.pairs, *_overall(analysis.pairs)]]
    return f"Repetition (lengths in tokens)\n{aligned(columns, rows, left=3)}"


def _overall(pairs: Sequence[PairRepetition]) -> Iterator[PairRepetition]:
    """All pairs together, part by part."""
    for part in dict.fromkeys(pair.part for pair in pairs):
        overall = PairRepetition("", "Overall", part, "")
        for pair in pairs:
            if pair.part == part:
                overall.lengths += pair.lengths
                overall.by_pattern += pair.by_pattern
                overall.by_compression += pair.by_compression
        yield overall


def _table_row(pair: PairRepetition) -> list[str]:
    told = pair.statistics()
    counts = [f"{told[name]:.0f}" for name in ("samples", "avg", "p75", "p90")]
    return [pair.model, pair.dataset, pair.part, *counts, str(pair.by_pattern), str(pair.by_compression)]


def _analyse(
    analysis: RepeatAnalysis, found: PairRepetition, folder: RunFolder, pair: Pair, part: Part, encode: Encoder
) -> None:
    """Reads the predictions twice: the lengths of all say which are looked at."""
    found.lengths = [_length(record, part, encode) for record in read_predictions(folder, pair)]
    least = found.quantile(_CANDIDATES)
    for index, text in enumerate(_texts(folder, pair, part)):
        if not text or found.lengths[index] < least:
            continue
        seen = find_repetition(text, encode(text))
        found.by_pattern += seen.by_pattern
        found.by_compression += seen.by_compression
        if seen.by_pattern or seen.by_compression:
            place = {"model": pair.model, "dataset": pair.dataset, "part": part.name, "index": index}
            told = {"length": found.lengths[index], **seen._asdict(), "text": text}
            analysis.abnormal.append(place | told)


def _length(record: Record, part: Part, encode: Encoder) -> int:
    """As `--dump-res-length` stored it, if it did."""
    stored = record.get("res_length")
    return stored if part is WHOLE and isinstance(stored, int) else len(encode(part.text(record)))


def _texts(folder: RunFolder, pair: Pair, part: Part) -> Iterator[str]:
    return (part.text(record) for record in read_predictions(folder, pair))


def _text(value: Any) -> str:
    """Several answers or rounds are one text."""
    if isinstance(value, list):
        return "\n".join(map(_text, value))
    if isinstance(value, dict):
        return _text(value.get("assistant"))
    return value if isinstance(value, str) else ""


def _encoder(name: str | None) -> tuple[str, Encoder]:
    """The tokenizer of that name, else that of a known model, else words."""
    for known in (name, _FALLBACK):
        encode = local_encoder(known) if known else None
        if known and encode:
            return known, encode
    return "words", words
