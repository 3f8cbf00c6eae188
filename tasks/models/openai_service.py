"""What the classes for OpenAI-compatible services share: their arguments, and the way of a request through them."""

import asyncio
import json
import os
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, get_args
from urllib.parse import urlencode

import orjson

from tasks.models.answering import answer_all
from tasks.models.endpoints import Endpoint, EndpointPool, Limiters
from tasks.models.failures import AttemptFailed, FailureKind, judge_reply, parse_json
from tasks.models.http_options import http_options
from tasks.models.interface import Backend, Completion, Request, TokenSource
from tasks.models.keys import KeyPool, resolve_keys
from tasks.models.length_policy import CutMode, FittedRequest, TooLong, fit, token_gap
from tasks.models.limiter import Rate
from tasks.models.model_log import ModelLog
from tasks.models.retrying import Route, ask
from tasks.models.token_count import token_counter
from tasks.models.wire import Wire
from tasks.spec.findings import Finding, Place, UserError, nearest
from tasks.spec.status import Status

DEFAULT_BASE = "https://api.openai.com/v1"


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAIService(Backend):
    """Arguments of a configuration, under OpenCompass's names."""

    path: str
    """The model's name at the service."""
    max_seq_len: int | None = 16384
    query_per_second: float | None = None
    rpm_verbose: bool = False
    retry: int = 2
    """Attempts after the first."""
    key: str | Sequence[str] | None = field(default="ENV")
    org: str | None = None
    meta_template: Any = None
    """Used by whoever renders the prompts."""
    openai_api_base: str | Sequence[str] | None = None
    """One address or several, asked in turn; default: $OPENAI_BASE_URL, else OpenAI's."""
    openai_proxy_url: str | None = None
    mode: CutMode = "none"
    logprobs: bool | None = False
    top_logprobs: int | None = None
    temperature: float | None = None
    """Sent only if it is set."""
    tokenizer_path: str | None = None
    extra_body: Mapping[str, Any] | None = None
    verbose: bool = False
    think_tag: str = "</think>"
    """What ends the reasoning in an answer's text."""
    max_workers: int | None = None
    http_client_cfg: Mapping[str, Any] = field(default_factory=dict[str, Any])
    status_code_mappings: Mapping[int, str] = field(default_factory=dict[int, str])
    openai_extra_kwargs: Mapping[str, Any] | None = None
    timeout: float | None = 3600
    """Seconds per attempt."""
    total_timeout: float | None = None
    """Seconds per request with all its attempts."""

    resource: ClassVar[str]
    """Path below the base address."""

    def __post_init__(self) -> None:
        _check(self)
        self.count_tokens = token_counter(self.path, self.tokenizer_path)
        self._mappings = {int(code): text for code, text in self.status_code_mappings.items()}
        self._keys = KeyPool(resolve_keys(self.key, ("OPENAI_API_KEY",)))
        self._wire = Wire(http_options(self.http_client_cfg, self.openai_proxy_url), self.timeout)
        self._extras = dict(self.openai_extra_kwargs or {})
        self._headers: dict[str, str] = dict(self._extras.pop("extra_headers", {}))
        self._query: dict[str, Any] = dict(self._extras.pop("extra_query", {}))
        self._extra_body = {**self._extras.pop("extra_body", {}), **(self.extra_body or {})}
        if self.org:
            self._headers["OpenAI-Organization"] = self.org
        self._log = ModelLog(self.path, self.verbose, self.rpm_verbose)
        self.bind(Limiters(), Rate(self.query_per_second) if self.query_per_second else None)

    def bind(self, limiters: Limiters, rate: TokenSource | None) -> None:
        """Shares the back-off of the endpoints, and takes permits from `rate`; called before the first request."""
        bases = self.openai_api_base
        if bases is None:
            bases = os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE
        self._route = Route(EndpointPool(bases, limiters), self._keys, rate, self.retry, self.total_timeout)

    def generate(
        self, requests: AsyncIterator[Request], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Completion]]:
        """See `Backend.generate`; without `slots`, `max_workers` requests are in flight."""
        workers = self.max_workers or min(32, ((os.cpu_count() or 1) + 5) * 2)
        return answer_all(self.answer, requests, slots or asyncio.Semaphore(workers))

    async def close(self) -> None:
        await self._wire.close()

    async def answer(self, request: Request) -> Completion:
        """The answer to one request, after all attempts it may take."""
        try:
            fitted = fit(request, self.count_tokens, self.max_seq_len, self.mode)
        except TooLong as error:
            return Completion(Status.ERROR, attempts=0, error=str(error))
        completion = await self.ask(fitted.request)
        return _with_notes(completion, fitted, self.count_tokens.exact)

    async def ask(self, request: Request) -> Completion:
        """One call of the service, after all attempts it may take."""
        body = _encode({**self.body(request), **self._extra_body})

        async def send(endpoint: Endpoint, key: str) -> Completion:
            return await self._send(endpoint, key, body, request)

        return await ask(send, self._route)

    @abstractmethod
    def body(self, request: Request) -> dict[str, Any]:
        """What is asked for, without `extra_body`."""

    @abstractmethod
    def read(self, reply: Any, request: Request) -> Completion:
        """The answer in the JSON of a reply with status 200; AttemptFailed if there is none."""

    async def _send(self, endpoint: Endpoint, key: str, body: bytes, request: Request) -> Completion:
        url = endpoint.url(self.resource)
        if self._query:
            url += ("&" if "?" in url else "?") + urlencode(self._query)
        headers = {"Authorization": endpoint.authorization or f"Bearer {key}", **self._headers}
        self._log.sent(request.index, endpoint.base)
        start = time.perf_counter()
        reply = await self._wire.post(url, body, headers)
        latency = time.perf_counter() - start
        if reply.status != 200:
            verdict = judge_reply(reply.status, reply.headers, reply.body, self._mappings)
            if isinstance(verdict, AttemptFailed):
                raise verdict
        else:
            verdict = self.read(_decode(reply.body), request)
        self._log.answered(request.index, verdict, latency)
        return replace(verdict, latency=latency)


def _decode(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        raise AttemptFailed(FailureKind.MALFORMED, "the answer is not JSON") from None


def _encode(body: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:  # lone surrogates, which only escapes can hold
        return json.dumps(body).encode("ascii")


def _with_notes(completion: Completion, fitted: FittedRequest, exact: bool) -> Completion:
    gap = token_gap(fitted.prompt_tokens, completion.usage.prompt_tokens, exact)
    note = "; ".join(filter(None, (fitted.note, completion.note, gap)))
    return replace(completion, note=note) if note else completion


def _check(service: OpenAIService) -> None:
    """UserError for values that no request could be made with."""
    findings: list[Finding] = []
    if service.mode not in get_args(CutMode):
        message = f"mode is {service.mode!r}"
        findings.append(Finding(message, Place(key="mode"), nearest(str(service.mode), get_args(CutMode))))
    if service.retry < 0:
        findings.append(
            Finding(f"retry is {service.retry}", Place(key="retry"), "give the number of further attempts, 0 for none")
        )
    for name in ("query_per_second", "timeout", "total_timeout", "max_seq_len", "max_workers"):
        value = getattr(service, name)
        if value is not None and value <= 0:
            findings.append(Finding(f"{name} is {value}", Place(key=name), "give a positive number, or None"))
    if findings:
        raise UserError(findings)
