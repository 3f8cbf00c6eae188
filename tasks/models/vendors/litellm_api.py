"""`LiteLLMAPI`: the many vendors that litellm knows, through it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind, judge_reply
from tasks.models.http.json_bodies import encode
from tasks.models.http.keys import resolve_keys
from tasks.models.interface import Completion, Request
from tasks.models.services.chat_chunks import ChatPieces
from tasks.models.services.chat_reply import read_chat
from tasks.models.vendors.sdk_service import SdkService
from tasks.spec.chat import Message, to_wire_messages

_SERVER_FAULT = 500


@dataclass(kw_only=True, eq=False, repr=False)
class LiteLLMAPI(SdkService):
    """Asks the model `<vendor>/<model>`; what a vendor does not take is left out by litellm."""

    key: str | Sequence[str] | None = None
    """None or `ENV`: litellm reads the vendor's own variable."""
    max_seq_len: int | None = 16384
    api_base: str | Sequence[str] | None = None
    """One address or several, asked in turn; default: the vendor's."""
    api_version: str | None = None
    system_prompt: str = ""
    """Put before every prompt."""
    extra_body: Mapping[str, Any] | None = None
    """Further arguments of litellm's call, or fields of the request."""

    packages: ClassVar[tuple[str, ...]] = ("litellm", "compass-llm-eval[litellm]")
    key_variables: ClassVar[tuple[str, ...]] = ("LITELLM_API_KEY",)
    address_key: ClassVar[str] = "api_base"

    def keys(self) -> Sequence[str]:
        return ("",) if self.key in (None, "ENV") else resolve_keys(self.key, self.key_variables)

    def bases(self) -> str | Sequence[str]:
        """The vendor's name stands for an address that only litellm knows."""
        return self.api_base or f"https://{self.path.partition('/')[0]}"

    def open_client(self, endpoint: Endpoint, key: str) -> Any:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or importing it asks the network
        litellm: Any = import_module("litellm")
        litellm.suppress_debug_info = True
        litellm.telemetry = False
        api_base = endpoint.base if self.api_base else None
        options = {"api_key": key or None, "api_base": api_base, "api_version": self.api_version}
        return partial(litellm.acompletion, **options, timeout=self.timeout, max_retries=0, num_retries=0)

    async def call(self, client: Any, endpoint: Endpoint, request: Request) -> Completion:
        openai: Any = import_module("openai")
        try:
            reply = await client(**self.arguments(request))
            if not self.stream:
                return read_chat(reply.model_dump(), request.stop, self.think_tag)
            return await self._put_together(reply, request)
        except openai.OpenAIError as error:
            return self._verdict(error)

    def arguments(self, request: Request) -> dict[str, Any]:
        """What of litellm's call depends on the request."""
        instruction: list[Message] = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        wanted = {
            "max_tokens": request.max_out_len,
            "temperature": self.temperature_of(request),
            "stop": list(request.stop) or None,
            "thinking": dict(self.thinking) if self.thinking else None,
            "stream": self.stream or None,
            "stream_options": {"include_usage": True} if self.stream else None,
        }
        return {
            "model": self.path,
            "messages": [*instruction, *to_wire_messages(request.prompt)],
            "drop_params": True,
            **{name: value for name, value in wanted.items() if value is not None},
            **(self.extra_body or {}),
        }

    async def _put_together(self, reply: Any, request: Request) -> Completion:
        pieces = ChatPieces(partial(self._log.piece, request.index))
        async for piece in reply:
            pieces.take(piece.model_dump())
        if not pieces.finished:
            raise AttemptFailed(FailureKind.MALFORMED, "the stream ended without a finish reason")
        return read_chat(pieces.reply(), request.stop, self.think_tag)

    def _verdict(self, error: Any) -> Completion:
        """The class of litellm's error says more than the status it gives it."""
        name, status = type(error).__name__, getattr(error, "status_code", None)
        if name == "Timeout":
            raise AttemptFailed(FailureKind.TIMEOUT, str(error)) from None
        body = encode({"error": {"message": getattr(error, "message", str(error)), "code": name}})
        headers = getattr(getattr(error, "response", None), "headers", {})
        verdict = judge_reply(status if isinstance(status, int) else _SERVER_FAULT, headers, body, self._mappings)
        if isinstance(verdict, AttemptFailed):
            raise verdict from None
        return verdict
