"""`OpenAISDKResponse`: models behind OpenAI's Responses interface."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, cast

from tasks.models.http.answer_status import Choice, Ending, completion_of
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.retries import Send
from tasks.models.http.streaming import receive
from tasks.models.interface import Completion, Request, Usage
from tasks.models.services.chat_reply import fields_of
from tasks.models.services.openai_names import is_openai_reasoning_model
from tasks.models.services.openai_service import OpenAIService
from tasks.models.services.response_chunks import ResponsePieces
from tasks.spec.chat import Message, to_wire_messages

_LOGPROBS = "message.output_text.logprobs"
_INCOMPLETE: dict[str | None, Ending] = {"max_output_tokens": "length", "content_filter": "filtered"}


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAISDKResponse(OpenAIService):
    """Asks `<openai_api_base>/responses`; several sequences are several calls, one after the other."""

    path: str = "gpt-4.1"
    response_kwargs: Mapping[str, Any] | None = None
    """Fields of the request; those of `openai_extra_kwargs` go over them."""
    stream: bool = False
    """Whether the answer is asked for piece by piece."""
    resource: ClassVar[str] = "responses"

    def sender(self, request: Request) -> Send:
        if not self.stream:
            return super().sender(request)
        body = self.encoded({**self.body(request), "stream": True})

        async def send(endpoint: Endpoint, key: str) -> Completion:
            pieces = ResponsePieces(partial(self._log.piece, request.index))
            async with self._wire.open(self.url(endpoint), body, self.headers(endpoint, key)) as response:
                withheld = await receive(response, self._mappings, pieces)
            return withheld or self.read(pieces.reply(), request)

        return send

    def body(self, request: Request) -> dict[str, Any]:
        messages = [_input_message(message) for message in to_wire_messages(request.prompt)]
        extras: dict[str, Any] = {**(self.response_kwargs or {}), **self._extras}
        body: dict[str, Any] = {"model": self.path, "input": messages}
        if request.max_out_len is not None:
            body["max_output_tokens"] = request.max_out_len
        body |= self.sampling(request)
        if is_openai_reasoning_model(self.path):
            extras["reasoning"] = {"summary": "auto", **extras.get("reasoning", {})}
        if self.logprobs:
            extras["include"] = list(dict.fromkeys([*extras.get("include", []), _LOGPROBS]))
        if self.top_logprobs is not None:
            body["top_logprobs"] = self.top_logprobs
        return {**body, **extras}

    def read(self, reply: Any, request: Request) -> Completion:
        if not isinstance(reply, dict) or not isinstance(reply.get("output"), list):  # pyright: ignore[reportUnknownMemberType]
            raise AttemptFailed(FailureKind.MALFORMED, "the answer has no output")
        response = cast(dict[str, Any], reply)
        status, error = response.get("status"), response.get("error")
        if error or status not in ("completed", "incomplete"):
            message = error.get("message") if isinstance(error, dict) else error  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            raise AttemptFailed(FailureKind.SERVER, f"the response is {status}: {message}")
        try:
            choice = _choice(response)
        except (KeyError, TypeError, AttributeError):
            raise AttemptFailed(FailureKind.MALFORMED, "the answer has an output in an unknown form") from None
        return completion_of([choice], _usage(response.get("usage")), request.stop, self.think_tag)


def _choice(response: dict[str, Any]) -> Choice:
    output = response["output"]
    parts = [part for item in output if item["type"] == "message" for part in item["content"]]
    text = "".join(part["text"] for part in parts if part["type"] == "output_text")
    refusal = "".join(part["refusal"] for part in parts if part["type"] == "refusal") or None
    reasoning = "\n".join(filter(None, (_reasoning(item) for item in output if item["type"] == "reasoning"))) or None
    details: dict[str, Any] = response.get("incomplete_details") or {}
    incomplete: str | None = details.get("reason") if response["status"] == "incomplete" else None
    ending: Ending = "refused" if refusal else _INCOMPLETE.get(incomplete, "whole")
    reason = refusal or ("the service's content filter" if ending == "filtered" else None)
    return Choice(text, ending, incomplete or response["status"], reasoning, reason)


def _reasoning(item: dict[str, Any]) -> str:
    """The reasoning itself where the service shows it, else its summary."""
    return _texts(item.get("content") or ()) or _texts(item.get("summary") or ())


def _texts(parts: Iterable[dict[str, Any]]) -> str:
    return "\n".join(part["text"] for part in parts)


def _usage(written: Any) -> Usage:
    usage = fields_of(written)
    return Usage(
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        reasoning_tokens=fields_of(usage.get("output_tokens_details")).get("reasoning_tokens"),
        cached_tokens=fields_of(usage.get("input_tokens_details")).get("cached_tokens"),
    )


def _input_message(message: Message) -> Message:
    """The message with chat-completion content parts in the Responses spelling."""
    content = message["content"]
    if not isinstance(content, list):
        return message
    text_type = "output_text" if message["role"] == "assistant" else "input_text"
    return message | {"content": [_input_part(part, text_type) for part in cast(list[dict[str, Any]], content)]}


def _input_part(part: dict[str, Any], text_type: str) -> dict[str, Any]:
    if part.get("type") == "text":
        return part | {"type": text_type}
    if part.get("type") == "image_url":
        image = part["image_url"]
        fields: dict[str, Any] = cast(dict[str, Any], image) if isinstance(image, dict) else {"url": image}
        detail = {"detail": fields["detail"]} if "detail" in fields else {}
        return {"type": "input_image", "image_url": fields["url"], **detail}
    return part
