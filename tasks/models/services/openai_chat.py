"""`OpenAISDK`: models behind the chat-completions interface, OpenAI's own and all compatible ones."""

from dataclasses import dataclass
from typing import Any, ClassVar

from tasks.models.interface import Completion, Request
from tasks.models.services.chat_reply import read_chat
from tasks.models.services.openai_names import is_openai_reasoning_model
from tasks.models.services.openai_service import OpenAIService
from tasks.spec.chat import to_wire_messages

_LIMIT_NAMES = ("max_tokens", "max_completion_tokens")
_MOST_STOPS = 4
"""OpenAI takes no more; the text is cut at the others afterwards."""


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAISDK(OpenAIService):
    """Asks `<openai_api_base>/chat/completions`."""

    path: str = "gpt-3.5-turbo"
    resource: ClassVar[str] = "chat/completions"
    takes_sequences: ClassVar[bool] = True

    def body(self, request: Request) -> dict[str, Any]:
        thinks = is_openai_reasoning_model(self.path)
        body: dict[str, Any] = {"model": self.path, "messages": to_wire_messages(request.prompt)}
        if request.max_out_len is not None and not any(name in self._extras for name in _LIMIT_NAMES):
            body["max_completion_tokens" if thinks else "max_tokens"] = request.max_out_len
        body |= self.sampling(request)
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
        return read_chat(reply, request.stop, self.think_tag)
