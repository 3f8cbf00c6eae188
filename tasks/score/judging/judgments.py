"""What a judge is asked, and what it said."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Completion, Usage
from tasks.spec.chat import Prompt
from tasks.spec.identity import RowIdentity
from tasks.spec.specs import ModelSpec, cost
from tasks.spec.status import Status

MOST_ATTEMPTS = 2
"""How often a judge is asked for one verdict: once more after one that cannot be read."""


class JudgedSample(NamedTuple):
    """Which sample is judged, the same in every run."""

    row: RowIdentity
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """One question to a judge, in the words of its model."""

    sample: JudgedSample
    prompt: Prompt
    label: str = ""
    """Which of several questions about the sample, e.g. `A first`."""


IsValid = Callable[[str], bool]
"""Whether a verdict can be read from what the judge said."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """What became of one question."""

    prompt: Prompt
    records: tuple[RequestRecord, ...]
    """One for each time the judge was asked; none where the asking stopped before."""
    text: str | None
    """What the judge said, if a verdict can be read from it."""
    error: str | None = None
    """Why the judge did not answer."""

    @property
    def said(self) -> str | None:
        """The last thing the judge said, readable or not."""
        last = _completion(self.records[-1]) if self.records else None
        return last.texts[0] if last and last.status is not Status.ERROR else None

    @property
    def gap(self) -> str | None:
        """Why there is no verdict: `error` or `invalid`; None if there is one."""
        if self.text is not None:
            return None
        return "error" if self.error is not None else "invalid"


@dataclass(frozen=True)
class JudgeReport:
    """What a judge did for a pair; sums over everything that its verdicts took, whenever it was asked."""

    judge: str
    """Abbreviation of its model."""
    verdicts: int
    invalid: int
    """Questions without a verdict although the judge was asked twice."""
    errors: int
    """Questions that the judge did not answer."""
    asked_again: int
    tokens: dict[str, int]
    cost: float | None
    """Dollars, where the judge has prices."""

    def __add__(self, other: "JudgeReport") -> "JudgeReport":
        known = [amount for amount in (self.cost, other.cost) if amount is not None]
        tokens = {name: self.tokens.get(name, 0) + other.tokens.get(name, 0) for name in self.tokens | other.tokens}
        return JudgeReport(
            self.judge,
            self.verdicts + other.verdicts,
            self.invalid + other.invalid,
            self.errors + other.errors,
            self.asked_again + other.asked_again,
            tokens,
            sum(known) if known else None,
        )


def report(judge: ModelSpec, judgments: Sequence[Judgment]) -> JudgeReport:
    """The sums over these judgments."""
    gaps = [judgment.gap for judgment in judgments]
    usages = [_completion(record).usage for judgment in judgments for record in judgment.records]
    tokens = {name: total for name in Usage.__slots__ if (total := _sum(getattr(usage, name) for usage in usages))}
    read, written = tokens.get("prompt_tokens", 0), tokens.get("completion_tokens", 0)
    return JudgeReport(
        judge=judge.abbr,
        verdicts=gaps.count(None),
        invalid=gaps.count("invalid"),
        errors=gaps.count("error"),
        asked_again=sum(len(judgment.records) > 1 for judgment in judgments),
        tokens=tokens,
        cost=cost(judge.prices, read, written) if read or written else None,
    )


def judgment(prompt: Prompt, records: Sequence[RequestRecord], is_valid: IsValid, stopped: str | None) -> Judgment:
    """The judgment after these answers; `stopped` is why nothing more was asked, if it was stopped."""
    if not records:
        return Judgment(prompt, (), None, f"not asked: {stopped}")
    last = _completion(records[-1])
    text = last.texts[0]
    if last.status is Status.ERROR:
        return Judgment(prompt, tuple(records), None, last.error or "unknown reason")
    if last.status.has_answer and is_valid(text):
        return Judgment(prompt, tuple(records), text)
    unfinished = len(records) < MOST_ATTEMPTS and stopped is not None
    return Judgment(prompt, tuple(records), None, f"not asked again: {stopped}" if unfinished else None)


def is_settled(records: Sequence[RequestRecord], is_valid: IsValid) -> bool:
    """Whether the judge need not be asked (again)."""
    if not records:
        return False
    last = _completion(records[-1])
    readable = last.status.has_answer and is_valid(last.texts[0])
    return readable or last.status is Status.ERROR or len(records) == MOST_ATTEMPTS


def _completion(record: RequestRecord) -> Completion:
    assert isinstance(record.result, Completion)
    return record.result


def _sum(values: Iterable[Any]) -> int:
    return sum(value for value in values if value)
