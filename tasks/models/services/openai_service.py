"""What the classes for OpenAI-compatible services share: their arguments, and how they are asked."""

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, ClassVar
from urllib.parse import urlencode

from tasks.models.http.api_service import ApiService
from tasks.models.http.client import Wire
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.json_bodies import answer_of, encode
from tasks.models.http.keys import resolve_keys
from tasks.models.http.options import http_options
from tasks.models.http.retries import Send
from tasks.models.interface import Completion, Request

DEFAULT_BASE = "https://api.openai.com/v1"


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAIService(ApiService):
    """Arguments of a configuration, under OpenCompass's names."""

    path: str
    """The model's name at the service."""
    key: str | Sequence[str] | None = field(default="ENV")
    org: str | Sequence[str] | None = None
    """One organization, or several that take turns."""
    openai_api_base: str | Sequence[str] | None = None
    """One address or several, asked in turn; default: $OPENAI_BASE_URL, else OpenAI's."""
    openai_proxy_url: str | None = None
    logprobs: bool | None = False
    top_logprobs: int | None = None
    extra_body: Mapping[str, Any] | None = None
    http_client_cfg: Mapping[str, Any] = field(default_factory=dict[str, Any])
    openai_extra_kwargs: Mapping[str, Any] | None = None

    resource: ClassVar[str]
    """Path below the base address."""
    address_key: ClassVar[str] = "openai_api_base"

    def __post_init__(self) -> None:
        super().__post_init__()
        self._wire = Wire(http_options(self.http_client_cfg, self.openai_proxy_url), self.timeout)
        self._extras = dict(self.openai_extra_kwargs or {})
        self._headers: dict[str, str] = dict(self._extras.pop("extra_headers", {}))
        self._query: dict[str, Any] = dict(self._extras.pop("extra_query", {}))
        self._extra_body = {**self._extras.pop("extra_body", {}), **(self.extra_body or {})}
        self._orgs = cycle([self.org] if isinstance(self.org, str) else self.org or [""])

    @property
    def model(self) -> str:
        return self.path

    def keys(self) -> Sequence[str]:
        return resolve_keys(self.key, ("OPENAI_API_KEY",))

    def bases(self) -> str | Sequence[str]:
        if self.openai_api_base is None:
            return os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE
        return self.openai_api_base

    async def close(self) -> None:
        await self._wire.close()

    def sender(self, request: Request) -> Send:
        body = self.encoded(self.body(request))

        async def send(endpoint: Endpoint, key: str) -> Completion:
            reply = await self._wire.post(self.url(endpoint), body, self.headers(endpoint, key))
            return answer_of(reply, self._mappings, lambda data: self.read(data, request))

        return send

    def sampling(self, request: Request) -> dict[str, Any]:
        """How answers are drawn, as far as it is set; `top_k` is no part of this interface."""
        wanted = {
            "temperature": self.temperature_of(request),
            "top_p": request.sampling.top_p if request.sampling else None,
        }
        return {name: value for name, value in wanted.items() if value is not None}

    @abstractmethod
    def body(self, request: Request) -> dict[str, Any]:
        """What is asked for, without `extra_body`."""

    @abstractmethod
    def read(self, reply: Any, request: Request) -> Completion:
        """The answer in the JSON of a reply with status 200; AttemptFailed if there is none."""

    def encoded(self, body: dict[str, Any]) -> bytes:
        """The body with the fields of `extra_body`, as JSON."""
        return encode({**body, **self._extra_body})

    def url(self, endpoint: Endpoint) -> str:
        """The full address of an attempt."""
        url = endpoint.url(self.resource)
        return url if not self._query else url + ("&" if "?" in url else "?") + urlencode(self._query)

    def headers(self, endpoint: Endpoint, key: str) -> dict[str, str]:
        """Who asks; headers of the configuration go over these."""
        headers = {"Authorization": endpoint.authorization or f"Bearer {key}"}
        if organization := next(self._orgs):
            headers["OpenAI-Organization"] = organization
        return headers | self._headers
