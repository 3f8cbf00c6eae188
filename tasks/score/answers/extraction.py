"""From a prediction to the answer that the evaluator gets, through all post-processors in order."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from tasks.score.answers.visible import without_trailing_tokens
from tasks.score.components import Step, step_of
from tasks.score.interface import Extraction, ExtractionStatus
from tasks.score.score_error import ScoreError


class Extracted(NamedTuple):
    """An extraction, and what the evaluator sees in its place."""

    extraction: Extraction
    handed: Any
    """The answer; an empty text where there is none, as OpenCompass's evaluators expect."""


class Chunk(NamedTuple):
    """Predictions in a row with the post-processors they go through, for another process."""

    configs: tuple[dict[str, Any], ...]
    search_path: tuple[str, ...]
    start: int
    """Position of the first one."""
    predictions: list[Any]
    """An `Extracted` stands for itself."""
    votes: bool = False
    """Whether several answers to one sample vote for one."""


class Reading(NamedTuple):
    """An `Extracted` without its span, as small as it can travel between processes."""

    status: ExtractionStatus
    rule: str | None
    answer: Any
    handed: Any


def extract(prediction: Any, steps: Sequence[Step], position: int, *, votes: bool = False) -> Extracted:
    """Several answers of one sample are taken one by one; ScoreError names the sample a post-processor fails on.

    With `votes`, the most frequent of them is the answer (self-consistency, Wang et al. 2022, arXiv:2203.11171).
    """
    prediction = _bare(prediction)
    if isinstance(prediction, list) and votes:
        return _elected([_through(item, steps, position) for item in prediction])
    if not steps:
        return Extracted(Extraction(prediction), prediction)
    if isinstance(prediction, list):
        return _together([_through(item, steps, position) for item in prediction])
    return _through(prediction, steps, position)


def extract_chunk(chunk: Chunk) -> list[Reading]:
    """All of a chunk; ScoreError as `extract` raises it."""
    steps = [step_of(config, chunk.search_path) for config in chunk.configs]
    return [
        _reading(item if isinstance(item, Extracted) else extract(item, steps, chunk.start + index, votes=chunk.votes))
        for index, item in enumerate(chunk.predictions)
    ]


def extracted_from(reading: Reading) -> Extracted:
    """What another process read."""
    return Extracted(Extraction(reading.answer, reading.rule, None, reading.status), reading.handed)


def withheld(prediction: Any) -> Extracted:
    """For a sample without an answer: nothing is extracted, and the evaluator sees an empty text."""
    handed = [""] * len(prediction) if isinstance(prediction, list) else ""
    return Extracted(Extraction.unparsed(), handed)


def _bare(prediction: Any) -> Any:
    """The prediction without the special tokens that a server left at its end."""
    if isinstance(prediction, list):
        return [_bare(item) for item in prediction]
    return without_trailing_tokens(prediction) if isinstance(prediction, str) else prediction


def _reading(extracted: Extracted) -> Reading:
    extraction = extracted.extraction
    return Reading(extraction.status, extraction.rule, extraction.answer, extracted.handed)


def _through(value: Any, steps: Sequence[Step], position: int) -> Extracted:
    rule, span = None, None
    for step in steps:
        try:
            result = step(value)
        except Exception as error:  # a user's function may raise anything
            message = f"post-processor {step.name} failed on sample {position}: {type(error).__name__}: {error}"
            raise ScoreError(message) from error
        if not isinstance(result, Extraction):
            value = result
            continue
        if result.status is not ExtractionStatus.FOUND:
            return Extracted(result, "")
        value, rule = result.answer, result.rule or rule
        # Positions in a text that an earlier step changed mean nothing.
        span = result.span if len(steps) == 1 else None
    if value is None or (isinstance(value, str) and not value.strip()):
        return Extracted(Extraction.unparsed(), value)
    return Extracted(Extraction(value, rule, span), value)


def _elected(parts: list[Extracted]) -> Extracted:
    """The answer found most often; of several, the one found first."""
    found = [part for part in parts if part.extraction.status is ExtractionStatus.FOUND]
    if not found:
        return Extracted(parts[0].extraction if parts else Extraction.unparsed(), "")
    counts = Counter(str(part.handed) for part in found)
    return max(found, key=lambda part: counts[str(part.handed)])


def _together(parts: list[Extracted]) -> Extracted:
    handed = [part.handed for part in parts]
    failed = next((part for part in parts if part.extraction.status is not ExtractionStatus.FOUND), None)
    if failed or not parts:
        return Extracted(failed.extraction if failed else Extraction.unparsed(), handed)
    rules = dict.fromkeys(part.extraction.rule for part in parts if part.extraction.rule)
    return Extracted(Extraction(handed, "; ".join(rules) or None), handed)
