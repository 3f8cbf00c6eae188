"""`GeminiSDK`: Google's Gemini models, through the google-genai SDK."""

import base64
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, ClassVar

from pydantic import ValidationError

from tasks.models.http.client import lost_connection
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed
from tasks.models.http.options import HttpOptions, proxy_for
from tasks.models.http.redirects import on_one_host
from tasks.models.interface import Completion, Request
from tasks.models.vendors.gemini_reply import GeminiPieces, verdict_of
from tasks.models.vendors.sdk_service import SdkService, image_data, image_url, split_instructions
from tasks.spec.chat import Message
from tasks.spec.findings import Finding, Place, UserError

_MOST_STOPS = 5
_MILLISECONDS = 1000


@dataclass(kw_only=True, eq=False, repr=False)
class GeminiSDK(SdkService):
    """Asks for `models/<path>:generateContent` below the address and the version that the SDK is made for."""

    path: str = "gemini-2.5-flash"
    top_p: float | None = None
    top_k: float | None = None
    base_url: str | Sequence[str] | None = None
    """One address or several, asked in turn; default: $GEMINI_BASE_URL, else Google's."""
    gemini_extra_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further fields of the SDK's GenerateContentConfig."""
    client_extra_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further arguments of the SDK's client."""

    packages: ClassVar[tuple[str, ...]] = ("google.genai", "compass-llm-eval[vendors]")
    key_variables: ClassVar[tuple[str, ...]] = ("GOOGLE_API_KEY", "GEMINI_API_KEY")

    def bases(self) -> str | Sequence[str]:
        return self.base_url or os.environ.get("GEMINI_BASE_URL") or "https://generativelanguage.googleapis.com"

    async def close(self) -> None:
        for client in self._clients.values():
            await client.aio.aclose()
            client.close()
        for session in self._sessions.values():
            await session.close()
        self._clients.clear()
        self._sessions.clear()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._sessions: dict[str, Any] = {}
        self._check_options()

    def open_client(self, endpoint: Endpoint, key: str) -> Any:
        genai: Any = import_module("google.genai")
        types: Any = import_module("google.genai.types")
        options = types.HttpOptions(
            base_url=endpoint.base,
            timeout=None if self.timeout is None else round(self.timeout * _MILLISECONDS),
            retry_options=types.HttpRetryOptions(attempts=1),
            aiohttp_client=self._session(endpoint.base),
        )
        return genai.Client(**{"api_key": key, "vertexai": False, "http_options": options, **self.client_extra_kwargs})

    async def call(self, client: Any, endpoint: Endpoint, request: Request) -> Completion:
        import aiohttp

        errors: Any = import_module("google.genai.errors")
        pieces = GeminiPieces()
        try:
            if not self.stream:
                pieces.take(await client.aio.models.generate_content(**self.arguments(request)))
            else:
                async for piece in await client.aio.models.generate_content_stream(**self.arguments(request)):
                    for text, is_thought in pieces.take(piece):
                        self._log.piece(request.index, text, is_reasoning=is_thought)
        except errors.APIError as error:
            verdict = verdict_of(error.code, error.details, self._mappings)
            if isinstance(verdict, AttemptFailed):
                raise verdict from None
            return verdict
        except aiohttp.ClientError as error:
            raise lost_connection(error, endpoint.base) from None
        return pieces.completion(request, self.think_tag)

    def arguments(self, request: Request) -> dict[str, Any]:
        """Arguments of the SDK's call."""
        instructions, messages = split_instructions(request.prompt)
        config: dict[str, Any] = {
            "system_instruction": instructions or None,
            "candidate_count": 1,
            "max_output_tokens": request.max_out_len,
            "temperature": self.temperature_of(request),
            "top_p": self.top_p,
            "top_k": self.top_k,
            "stop_sequences": [word for word in request.stop if word][:_MOST_STOPS] or None,
            "thinking_config": dict(self.thinking) if self.thinking else None,
            **self.gemini_extra_kwargs,
        }
        given = {name: value for name, value in config.items() if value is not None}
        types: Any = import_module("google.genai.types")
        contents = [types.Content.model_validate(_content(message)) for message in messages]
        return {"model": self.path, "contents": contents, "config": types.GenerateContentConfig(**given)}

    def _check_options(self) -> None:
        """UserError for what the SDK knows no option for."""
        try:
            self.arguments(Request(0, ""))
        except ValidationError as error:
            findings = [
                Finding(f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}", Place(key="gemini_extra_kwargs"))
                for problem in error.errors(include_input=False, include_url=False)
            ]
            raise UserError(findings) from None

    def _session(self, base: str) -> Any:
        """The SDK's own would use a proxy for loopback addresses."""
        import aiohttp

        if base not in self._sessions:
            self._sessions[base] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                trust_env=False,
                proxy=proxy_for(base, HttpOptions()),
                trace_configs=[on_one_host()],
            )
        return self._sessions[base]


def _content(message: Message) -> dict[str, Any]:
    content = message["content"]
    parts = [{"text": content}] if isinstance(content, str) else [_part(part) for part in content]
    return {"role": "model" if message["role"] == "assistant" else "user", "parts": parts}


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part.get("type") == "text":
        return {"text": part["text"]}
    url = image_url(part)
    if url is None:
        return part
    data = image_data(url)
    if data is None:
        return {"file_data": {"file_uri": url}}
    return {"inline_data": {"mime_type": data[0], "data": base64.b64decode(data[1])}}
