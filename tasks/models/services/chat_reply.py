"""Reads a chat completion: the form in which OpenAI's and all compatible services answer."""

from collections.abc import Sequence
from typing import Any, cast

from tasks.models.http.answer_status import Choice, Ending, completion_of
from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.interface import Completion, Usage

ENDINGS: dict[str | None, Ending] = {"length": "length", "content_filter": "filtered", "refusal": "refused"}
REASONING_FIELDS = ("reasoning_content", "reasoning")
"""Services name the reasoning either way."""
_FAILED_FINISH = "error"


def read_chat(reply: Any, stop: Sequence[str], think_tag: str) -> Completion:
    """The answer in the JSON of a whole reply; AttemptFailed if there is none."""
    try:
        read = [_choice(choice) for choice in choices_of(reply)]
    except (KeyError, TypeError, AttributeError):
        raise AttemptFailed(FailureKind.MALFORMED, "the answer has a choice without a message") from None
    return completion_of(read, usage_of(reply.get("usage")), stop, think_tag)


def choices_of(reply: Any) -> list[Any]:
    """The choices of a reply, at least one."""
    choices = reply.get("choices") if isinstance(reply, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(choices, list) or not choices:
        raise AttemptFailed(FailureKind.MALFORMED, "the answer has no choices")
    return cast(list[Any], choices)


def usage_of(written: Any) -> Usage:
    """The counts of a `usage` object; none where it is in another form, which is no reason to lose the answer."""
    usage = fields_of(written)
    return Usage(
        usage.get("prompt_tokens"),
        usage.get("completion_tokens"),
        reasoning_tokens=fields_of(usage.get("completion_tokens_details")).get("reasoning_tokens"),
        cached_tokens=fields_of(usage.get("prompt_tokens_details")).get("cached_tokens"),
    )


def fields_of(value: Any) -> dict[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def content_text(content: Any) -> str:
    """The text of a message; some services answer with content parts."""
    if isinstance(content, list):
        parts = cast(list[Any], content)
        return "".join(part["text"] for part in parts if part.get("type") == "text")
    return content or ""


def reasoning_of(message: dict[str, Any]) -> str | None:
    """The reasoning of a message or of a piece of one, under the name that the service gives it."""
    for name in REASONING_FIELDS:
        reasoning = message.get(name)
        if reasoning and isinstance(reasoning, str):
            return reasoning
    return None


def _choice(choice: dict[str, Any]) -> Choice:
    message, finish = choice["message"], choice.get("finish_reason")
    text, refusal = content_text(message.get("content")), message.get("refusal") or None
    if finish == _FAILED_FINISH or (finish is None and not text and not refusal):
        raise AttemptFailed(FailureKind.MALFORMED, f"an empty answer with finish reason {finish}")
    ending: Ending = "refused" if refusal else ENDINGS.get(finish, "whole")
    reason = refusal or ("the service's content filter" if ending == "filtered" else None)
    return Choice(text, ending, finish, reasoning_of(message), reason)
