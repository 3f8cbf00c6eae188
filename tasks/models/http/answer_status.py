"""From what a service says about an answer to the status that the run records."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from tasks.models.interface import Completion, Usage
from tasks.models.reasoning_text import split_reasoning
from tasks.spec.status import Status, worst

Ending = Literal["whole", "length", "filtered", "refused"]
"""How the service says that the text ended, in our words."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer as the service sent it."""

    text: str
    ending: Ending
    finish_reason: str | None
    reasoning: str | None = None
    reason: str | None = None
    """Why it was filtered or refused."""


class _Outcome(NamedTuple):
    status: Status
    text: str
    reasoning: str | None


def completion_of(choices: Sequence[Choice], usage: Usage, stop: Sequence[str], think_tag: str) -> Completion:
    """The Completion that the choices make: reasoning apart, text cut at the first stop string."""
    outcomes = [_outcome(choice, stop, think_tag) for choice in choices]
    reasons = [choice.reason for choice in choices if choice.reason]
    return Completion(
        joint_status(outcome.status for outcome in outcomes),
        tuple(outcome.text for outcome in outcomes),
        finish_reason=choices[0].finish_reason,
        reasoning="\n\n".join(outcome.reasoning for outcome in outcomes if outcome.reasoning) or None,
        usage=usage,
        error=reasons[0] if reasons else None,
    )


def joint_status(statuses: Iterable[Status]) -> Status:
    """The status of several answers to one request: as long as one has a text, the others only lack theirs."""
    every = list(statuses)
    return worst([status for status in every if status.has_answer] or every)


def together(completions: Sequence[Completion]) -> Completion:
    """One Completion for several calls; a failed call fails the whole, so that a resumed run asks again."""
    last = completions[-1]
    attempts = sum(completion.attempts for completion in completions)
    latency = sum(completion.latency for completion in completions)
    if last.status is Status.ERROR:
        return replace(last, attempts=attempts)
    return replace(
        completions[0],
        status=joint_status(completion.status for completion in completions),
        texts=tuple(text for completion in completions for text in completion.texts),
        reasoning="\n\n".join(completion.reasoning for completion in completions if completion.reasoning) or None,
        usage=_sum([completion.usage for completion in completions]),
        latency=latency,
        attempts=attempts,
        error=next((completion.error for completion in completions if completion.error), None),
    )


def cut_at_stop(text: str, stop: Sequence[str]) -> str:
    """The text before the first of the stop strings."""
    ends = [text.find(word) for word in stop if word and word in text]
    return text[: min(ends)] if ends else text


def _outcome(choice: Choice, stop: Sequence[str], think_tag: str) -> _Outcome:
    answer = split_reasoning(choice.text, think_tag)
    reasoning = "\n".join(filter(None, (choice.reasoning, answer.reasoning))) or None
    text = cut_at_stop(answer.text, stop)
    if choice.ending == "refused":
        return _Outcome(Status.REFUSED, text, reasoning)
    if choice.ending == "filtered":
        return _Outcome(Status.FILTERED, text, reasoning)
    if not answer.closed or (choice.ending == "length" and text == answer.text):
        return _Outcome(Status.TRUNCATED, text, reasoning)
    return _Outcome(Status.OK if text.strip() else Status.EMPTY, text, reasoning)


def _sum(usages: Sequence[Usage]) -> Usage:
    def total(name: str) -> int | None:
        counts = [count for usage in usages if (count := getattr(usage, name)) is not None]
        return sum(counts) if counts else None

    return Usage(total("prompt_tokens"), total("completion_tokens"), total("reasoning_tokens"), total("cached_tokens"))
