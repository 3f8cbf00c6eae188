"""From what a service says about an answer to the status that the run records."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tasks.models.interface import Completion, Usage
from tasks.models.thinking import split_reasoning
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
