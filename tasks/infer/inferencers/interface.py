"""What an inferencer is: the way from a row of a dataset to its requests, and from their answers to the sample."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from tasks.infer.ledger.records import RequestRecord, usage_json
from tasks.models.interface import Completion, Likelihood, Request, ScoreRequest, Usage
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Prompt
from tasks.spec.status import Status, worst


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of a sample, before it has a key."""

    request: Request | ScoreRequest
    part: str = ""
    """Which request of its sample: a label, `round 2`; empty where there is one only."""
    examples: tuple[int, int] | None = None
    """Where the in-context examples stand in the prompt, in characters; only for the sample's record."""


Answer = Completion | Likelihood
Dialogue = Generator[Sequence[Ask], Sequence[Answer], None]
"""Yields requests that may run side by side, is sent their answers in the same order, ends with the sample."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Output limits that hold where the dataset's inferencer sets none."""

    max_out_len: int | None = None
    min_out_len: int | None = None


class Inferencer(ABC):
    """Base of inferencers. The constructor takes the options of the config's `inferencer` entry."""

    way: ClassVar[Literal["gen", "ppl", "ll", "clp", "unknown"]]
    """What the summary shows as mode."""
    scores: ClassVar[bool] = False
    """Whether it needs log-likelihoods rather than generated text."""
    needs_tokens: ClassVar[bool] = False
    """Whether it needs those of every token."""

    @abstractmethod
    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        """The requests of one row. UserError only for mistakes of the configuration."""

    def first_prompts(self, renderer: PromptRenderer, row: int) -> list[Prompt]:
        """What is asked of a row before any answer is there: all of it, unless later rounds depend on answers."""
        requests = [ask.request for ask in next(self.dialogue(renderer, row, Limits()))]
        return [r.prompt if isinstance(r, Request) else r.context + r.continuation for r in requests]

    @abstractmethod
    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        """The sample as predictions files hold it, from the records of its requests in the order they were asked."""


def outcome_fields(records: Sequence[RequestRecord]) -> dict[str, Any]:
    """What samples carry beside the prediction: status, usage, latency, attempts, the reason of a failure."""
    results = [record.result for record in records]
    completions = [result for result in results if isinstance(result, Completion)]
    fields: dict[str, Any] = {"status": str(worst([result.status for result in results]))}
    optional = {
        "finish_reason": completions[-1].finish_reason if completions else None,
        "reasoning": _one_or_all([completion.reasoning for completion in completions]),
        "usage": usage_json(_total([completion.usage for completion in completions])) or None,
        "error": "; ".join(sorted({result.error for result in results if result.error})) or None,
        "note": "; ".join(sorted({completion.note for completion in completions if completion.note})) or None,
    }
    fields |= {name: value for name, value in optional.items() if value is not None}
    fields["latency"] = round(sum(result.latency for result in results), 4)
    fields["attempts"] = sum(result.attempts for result in results)
    return fields


def unanswered(part: str = "") -> Completion:
    """Stands for a request that was never sent because the run stopped before it."""
    return Completion(Status.ERROR, error=f"not asked{': ' + part if part else ''}", attempts=0)


def _one_or_all(values: list[str | None]) -> str | list[str | None] | None:
    if not any(values):
        return None
    return values[0] if len(values) == 1 else values


def _total(usages: list[Usage]) -> Usage:
    def add(name: str) -> int | None:
        known = [value for usage in usages if (value := getattr(usage, name)) is not None]
        return sum(known) if known else None

    return Usage(*(add(name) for name in Usage.__slots__))
