"""What extraction and evaluation hand to each other."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

VERDICTS = ("correct", "is_correct", "cascade_correct")
"""Names under which details say whether a sample is right, in order of preference."""


class ExtractionStatus(StrEnum):
    """Whether an answer was found in a text."""

    FOUND = "found"
    UNPARSED = "unparsed"
    """No rule fired: the answer is there, but not in a form that was asked for."""
    AMBIGUOUS = "ambiguous"
    """Rules fired and contradict each other."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """The answer found in a model's text, and how it was found."""

    answer: Any
    """None unless `status` is `found`."""
    rule: str | None = None
    """Name of the rule that fired; rules that guess are named `fallback:…`."""
    span: tuple[int, int] | None = None
    """Start and end of the match in the text, in characters."""
    status: ExtractionStatus = ExtractionStatus.FOUND

    @classmethod
    def unparsed(cls) -> "Extraction":
        return cls(None, status=ExtractionStatus.UNPARSED)


class Postprocessor(Protocol):
    """Turns a model's text into an answer. Own functions may return a plain string; they never need to raise."""

    def __call__(self, text: str, /, **options: Any) -> Extraction | Any: ...


class BaseEvaluator:
    """Base of evaluators: override `score`.

    `score` receives exactly the arguments it names, chosen from `predictions`, `references`, `test_set` and the
    fields of the predictions file (`origin_prompt`, `gold`, …), all lists of equal length. It returns metrics by
    name (numbers, 0–100 unless documented) and may add `details`: one dict per sample, with `correct` (bool) where
    a sample can be right or wrong.
    """

    def score(self, **columns: Any) -> dict[str, Any]:
        raise NotImplementedError


class Evaluation(NamedTuple):
    """What an evaluator says of one replica."""

    metrics: dict[str, float]
    others: dict[str, Any]
    """Everything it returned that is not a number."""
    details: list[dict[str, Any]] | None
    """One per sample, if it gives any."""
