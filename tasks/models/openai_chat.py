"""`OpenAISDK`: models behind the chat-completions interface, OpenAI's own and all compatible ones."""

from dataclasses import dataclass
from typing import Any, ClassVar, cast

from tasks.models.failures import AttemptFailed, FailureKind
from tasks.models.interface import Completion, Request, Usage
from tasks.models.openai_names import is_openai_reasoning_model
from tasks.models.openai_service import OpenAIService
from tasks.models.outcomes import Choice, Ending, completion_of
from tasks.spec.chat import to_wire_messages

_LIMIT_NAMES = ("max_tokens", "max_completion_tokens")
_MOST_STOPS = 4
"""OpenAI takes no more; the text is cut at the others afterwards."""
_ENDINGS: dict[str | None, Ending] = {"length": "length", "content_filter": "filtered", "refusal": "refused"}
_FAILED_FINISH = "error"


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAISDK(OpenAIService):
    """Asks `<openai_api_base>/chat/completions`."""

    path: str = "gpt-3.5-turbo"
    resource: ClassVar[str] = "chat/completions"

    def body(self, request: Request) -> dict[str, Any]:
        thinks = is_openai_reasoning_model(self.path)
        body: dict[str, Any] = {"model": self.path, "messages": to_wire_messages(request.prompt)}
        if request.max_out_len is not None and not any(name in self._extras for name in _LIMIT_NAMES):
            body["max_completion_tokens" if thinks else "max_tokens"] = request.max_out_len
        if self.temperature is not None:
            body["temperature"] = self.temperature
        if request.sequences > 1:
            body["n"] = request.sequences
        if request.stop and not thinks:
            body["stop"] = list(request.stop[:_MOST_STOPS])
        if self.logprobs:
            body["logprobs"] = True
        if self.top_logprobs is not None:
            body["top_logprobs"] = self.top_logprobs
        return {**body, **self._extras}

    def read(self, reply: Any, request: Request) -> Completion:
        choices = reply.get("choices") if isinstance(reply, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if not isinstance(choices, list) or not choices:
            raise AttemptFailed(FailureKind.MALFORMED, "the answer has no choices")
        try:
            read = [_choice(choice) for choice in cast(list[Any], choices)]
        except (KeyError, TypeError, AttributeError):
            raise AttemptFailed(FailureKind.MALFORMED, "the answer has a choice without a message") from None
        usage: dict[str, Any] = cast(dict[str, Any], reply).get("usage") or {}
        return completion_of(read, _usage(usage), request.stop, self.think_tag)


def _choice(choice: dict[str, Any]) -> Choice:
    message, finish = choice["message"], choice.get("finish_reason")
    text, refusal = _text(message.get("content")), message.get("refusal") or None
    reasoning = message.get("reasoning_content") or message.get("reasoning") or None
    if finish == _FAILED_FINISH or (finish is None and not text and not refusal):
        raise AttemptFailed(FailureKind.MALFORMED, f"an empty answer with finish reason {finish}")
    ending: Ending = "refused" if refusal else _ENDINGS.get(finish, "whole")
    reason = refusal or ("the service's content filter" if ending == "filtered" else None)
    return Choice(text, ending, finish, reasoning if isinstance(reasoning, str) else None, reason)


def _text(content: Any) -> str:
    """Some services answer with content parts."""
    if isinstance(content, list):
        parts = cast(list[Any], content)
        return "".join(part["text"] for part in parts if part.get("type") == "text")
    return content or ""


def _usage(usage: dict[str, Any]) -> Usage:
    prompt, completion = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
    return Usage(
        usage.get("prompt_tokens"),
        usage.get("completion_tokens"),
        reasoning_tokens=completion.get("reasoning_tokens") if completion else None,
        cached_tokens=prompt.get("cached_tokens") if prompt else None,
    )
