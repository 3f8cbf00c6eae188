"""Results files: metrics, what this system adds under `compass`, and details per row."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import ijson
import orjson

from tasks.score.files.results_checksum import BLANK_SEAL, SEAL_KEY, check_seal, check_seal_of, seal
from tasks.spec.storage.json_stream import json_events
from tasks.spec.storage.json_text import parse_json
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import Pair, replacing

OWN_KEY = "compass"
_LARGE = 8 << 20
"""Bytes from which on the details of a file are skipped rather than read."""
_OPTIONS = orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS


@dataclass(frozen=True)
class SampleCounts:
    """How the samples of a pair ended."""

    n: int = 0
    counted: int = 0
    """In the denominator: all but errors and those without a verdict."""
    errors: int = 0
    truncated: int = 0
    filtered: int = 0
    refused: int = 0
    empty: int = 0
    unparsed: int = 0
    """Answered, but no rule found the answer."""
    ambiguous: int = 0
    """Answered, with statements that contradict each other."""
    fallback: int = 0
    """The answer was found by a rule that guesses."""

    @property
    def extract_rate(self) -> float:
        """Percent of the samples that count in whose answers something was found to score."""
        lost = self.filtered + self.refused + self.empty + self.unparsed + self.ambiguous
        return 100 * (self.counted - lost) / self.counted if self.counted else 0.0

    no_verdict: int = 0
    """Answered, but the judge has no verdict: left out of the denominator."""


@dataclass(frozen=True)
class PairScore:
    """The score of a pair."""

    pair: Pair
    metrics: dict[str, float]
    samples: SampleCounts
    score_key: str
    path: Path
    stderr: dict[str, float] = field(default_factory=dict[str, float])
    """Standard errors of those metrics that are means over samples, in the metric's unit."""
    strict: dict[str, float] = field(default_factory=dict[str, float])
    """Metrics without the answers that guessing rules found; empty where there are none."""
    shares: dict[str, float] = field(default_factory=dict[str, float])
    """Of the metrics that are this number (1 or 100) times the share of right samples: the number."""
    scales: dict[str, float] = field(default_factory=dict[str, float])
    """Of the metrics whose samples have values between 0 and this number (1 or 100): the number."""
    more: dict[str, Any] = field(default_factory=dict[str, Any])
    """Token totals, median latency, rules, versions, notes."""

    def own_section(self) -> dict[str, Any]:
        """What stands under `compass` in the results file; OpenCompass's summarizers pass over a dict."""
        section: dict[str, Any] = {"samples": asdict(self.samples), "stderr": _rounded(self.stderr)}
        if self.shares:
            section["shares"] = self.shares
        if self.scales:
            section["scales"] = self.scales
        if self.strict:
            lenient = {name: self.metrics[name] for name in self.strict}
            section |= {"strict": _rounded(self.strict), "lenient": _rounded(lenient)}
        return section | self.more | {"score_key": self.score_key}


def write_results(
    path: Path,
    metrics: Mapping[str, Any],
    own: Mapping[str, Any],
    details: Iterable[Mapping[str, Any]] | Mapping[str, Any] | None,
) -> None:
    """Writes the file atomically, record by record: metrics, our own section, details.

    The details come last, so that readers can stop before them; OpenCompass may have keyed them by number.
    """
    head: dict[str, Any] = {**metrics, OWN_KEY: {**own, SEAL_KEY: BLANK_SEAL}}
    if isinstance(details, Mapping):
        head["details"], details = details, None
    with replacing(path) as temporary, temporary.open("w+b", buffering=1 << 20) as file:
        file.write(b"{")
        for index, (key, value) in enumerate(head.items()):
            file.write((b"," if index else b"") + b"\n    " + json.dumps(key).encode() + b": " + _encoded(value, 4))
        if details is not None:
            file.write(b',\n    "details": [')
            for index, detail in enumerate(details):
                file.write((b"," if index else b"") + b"\n        " + _encoded(detail, 8))
            file.write(b"\n    ]")
        file.write(b"\n}\n")
        seal(file)


def read_results(path: Path) -> dict[str, Any]:
    """A results file of any writer without its details.

    OSError or ValueError if it cannot be read, or is ours and not what was written.
    """
    results = _read_small(path) if path.stat().st_size < _LARGE else _read_large(path)
    own = results.get(OWN_KEY)
    if isinstance(own, dict):
        own.pop(SEAL_KEY, None)
    return results


def _read_small(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    content = parse_json(data)
    check_seal([data])
    if not isinstance(content, dict):
        raise ValueError(f"it holds a {type(content).__name__}, not an object")  # noqa: TRY004
    return {key: value for key, value in content.items() if key != "details"}


def _read_large(path: Path) -> dict[str, Any]:
    check_seal_of(path)
    return dict(_without_details(path))


def stored_score_key(path: Path) -> str | None:
    """The score key in a results file; None if there is none, it is not ours, or a judge did not answer."""
    try:
        own = read_results(path).get(OWN_KEY)
    except (OSError, ValueError):
        return None
    if not isinstance(own, dict) or any(judge.get("errors") for judge in own.get("judges", ())):
        return None
    return own.get("score_key")


def _without_details(path: Path) -> Iterator[tuple[str, Any]]:
    """Top-level entries but `details`; where our own section came before them, reading stops there."""
    key, builder, depth, is_ours = "", None, 0, False
    with path.open("rb") as file:
        for event, value in json_events(file):
            if depth == 1 and event == "map_key":
                key, is_ours = value, is_ours or value == OWN_KEY
                if key == "details" and is_ours:
                    return
                builder = None if key == "details" else ijson.ObjectBuilder()
                continue
            depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
            if builder is not None:
                builder.event(event, value)
                if depth == 1:
                    yield key, builder.value
                    builder = None


def _encoded(value: Any, indent: int) -> bytes:
    """JSON, `indent` blanks deep; strings hold no raw line breaks, so lines can be shifted as text."""
    shift = b"\n" + b" " * indent
    try:
        data = orjson.dumps(value, default=jsonable, option=_OPTIONS)
        lines = data.split(b"\n")
        return shift.join(line[: len(line) - len(line.lstrip(b" "))] + line for line in lines)
    except TypeError:  # lone surrogates, integers beyond 64 bits
        text = json.dumps(jsonable(value), ensure_ascii=False, indent=4)
        return text.encode("utf-8", "backslashreplace").replace(b"\n", shift)


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in values.items()}
