"""`ClaudeSDK`: models behind Anthropic's Messages interface, through the anthropic SDK."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar

from tasks.models.http.answer_status import Choice, Ending, completion_of
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind, judge_reply
from tasks.models.http.options import HttpOptions, proxy_for
from tasks.models.http.redirects import check_response
from tasks.models.interface import Completion, Request, Usage
from tasks.models.vendors.sdk_service import SdkService, image_data, image_url, split_instructions
from tasks.spec.chat import Message

_ENDINGS: dict[str | None, Ending] = {
    "max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refused",
}  # fmt: skip
_DEFAULT_LIMIT = 8192
"""The interface wants a limit where neither the dataset nor the model sets one."""
_OF_THE_CALL = ("extra_headers", "extra_query", "extra_body")


@dataclass(kw_only=True, eq=False, repr=False)
class ClaudeSDK(SdkService):
    """Asks `<base_url>/v1/messages`."""

    base_url: str | Sequence[str] | None = None
    """One address or several, asked in turn; default: $ANTHROPIC_BASE_URL, else Anthropic's."""
    extra_headers: Mapping[str, str] = field(default_factory=dict[str, str])
    claude_extra_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the request, also those that the SDK does not know."""

    packages: ClassVar[tuple[str, ...]] = ("anthropic", "compass-llm-eval[vendors]")
    key_variables: ClassVar[tuple[str, ...]] = ("ANTHROPIC_API_KEY",)

    def bases(self) -> str | Sequence[str]:
        return self.base_url or os.environ.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com"

    async def close(self) -> None:
        for client in self._clients.values():
            await client.close()
        self._clients.clear()

    def open_client(self, endpoint: Endpoint, key: str) -> Any:
        anthropic: Any = import_module("anthropic")
        proxy = proxy_for(endpoint.base, HttpOptions())
        http_client = anthropic.DefaultAioHttpClient(
            proxy=proxy, trust_env=False, event_hooks={"response": [check_response]}
        )
        return anthropic.AsyncAnthropic(
            api_key=key, base_url=endpoint.base, timeout=self.timeout, max_retries=0, http_client=http_client
        )

    async def call(self, client: Any, endpoint: Endpoint, request: Request) -> Completion:
        anthropic: Any = import_module("anthropic")
        try:
            message = await self._message(client, request)
        except anthropic.APIStatusError as error:
            return self._verdict(error)
        except anthropic.APITimeoutError as error:
            raise AttemptFailed(FailureKind.TIMEOUT, str(error)) from None
        except anthropic.APIConnectionError as error:
            if isinstance(error.__cause__, AttemptFailed):
                raise error.__cause__ from None
            raise AttemptFailed(FailureKind.CONNECTION, f"the connection failed: {error.__cause__ or error}") from None
        except anthropic.APIError as error:
            raise AttemptFailed(FailureKind.MALFORMED, error.message) from None
        return _completion(message, request, self.think_tag)

    def arguments(self, request: Request) -> dict[str, Any]:
        """Arguments of the SDK's call; what it might not know goes into its extra body."""
        instructions, messages = split_instructions(request.prompt)
        body: dict[str, Any] = {
            "temperature": self.temperature_of(request),
            "thinking": dict(self.thinking) if self.thinking else None,
            "system": instructions or None,
            "stop_sequences": [word for word in request.stop if word.strip()] or None,
        }
        extras = {name: value for name, value in self.claude_extra_kwargs.items() if name not in _OF_THE_CALL}
        given = {name: value for name, value in body.items() if value is not None}
        return {
            "model": self.path,
            "max_tokens": extras.pop("max_tokens", request.max_out_len or _DEFAULT_LIMIT),
            "messages": [_message(message) for message in messages],
            "extra_body": {**given, **extras, **self.claude_extra_kwargs.get("extra_body", {})},
            "extra_headers": {**self.extra_headers, **self.claude_extra_kwargs.get("extra_headers", {})},
            "extra_query": self.claude_extra_kwargs.get("extra_query", {}),
        }

    async def _message(self, client: Any, request: Request) -> Any:
        if not self.stream:
            return await client.messages.create(**self.arguments(request))
        async with client.messages.stream(**self.arguments(request)) as stream:
            async for event in stream:
                if event.type in ("text", "thinking"):
                    is_reasoning = event.type == "thinking"
                    self._log.piece(request.index, getattr(event, event.type), is_reasoning=is_reasoning)
            return await stream.get_final_message()

    def _verdict(self, error: Any) -> Completion:
        verdict = judge_reply(error.status_code, error.response.headers, error.response.content, self._mappings)
        if isinstance(verdict, AttemptFailed):
            raise verdict from None
        return verdict


def _completion(message: Any, request: Request, think_tag: str) -> Completion:
    text = "".join(block.text for block in message.content if block.type == "text")
    reasoning = "\n".join(block.thinking for block in message.content if block.type == "thinking") or None
    if message.stop_reason is None and not text:
        raise AttemptFailed(FailureKind.MALFORMED, "an empty answer without a stop reason")
    ending = _ENDINGS.get(message.stop_reason, "whole")
    reason = "the model declined to answer" if ending == "refused" else None
    choice = Choice(text, ending, message.stop_reason, reasoning, reason)
    return completion_of([choice], _usage(message.usage), request.stop, think_tag)


def _usage(usage: Any) -> Usage:
    """Tokens read from and written to the vendor's cache are prompt tokens, too."""
    cached = usage.cache_read_input_tokens or 0
    details = getattr(usage, "output_tokens_details", None)
    return Usage(
        usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0),
        usage.output_tokens,
        reasoning_tokens=getattr(details, "thinking_tokens", None),
        cached_tokens=cached,
    )


def _message(message: Message) -> Message:
    """The message with chat-completion content parts in the spelling of this interface."""
    content = message["content"]
    if isinstance(content, str):
        return {"role": message["role"], "content": content}
    return {"role": message["role"], "content": [_part(part) for part in content]}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    url = image_url(part)
    if url is None:
        return part
    data = image_data(url)
    if data is None:
        return {"type": "image", "source": {"type": "url", "url": url}}
    return {"type": "image", "source": {"type": "base64", "media_type": data[0], "data": data[1]}}
