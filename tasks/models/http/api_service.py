"""What the classes for models behind a network share: their arguments, and the way of a request through them."""

import asyncio
import os
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, get_args

from tasks.models.answering import answer_all
from tasks.models.http.answer_status import together
from tasks.models.http.endpoints import Endpoint, EndpointPool, Limiters
from tasks.models.http.keys import KeyPool
from tasks.models.http.limiter import Rate
from tasks.models.http.reply_checks import reading, sound
from tasks.models.http.retries import Route, Send, ask
from tasks.models.interface import Backend, Completion, Request, TokenSource
from tasks.models.length_policy import CutMode, FittedRequest, TooLong, fit, token_gap
from tasks.models.model_log import ModelLog
from tasks.models.token_count import token_counter
from tasks.spec.findings import Finding, Place, UserError, nearest
from tasks.spec.status import Status


@dataclass(kw_only=True, eq=False, repr=False)
class ApiService(Backend):
    """Arguments that every such class takes, under OpenCompass's names."""

    max_seq_len: int | None = 16384
    query_per_second: float | None = None
    rpm_verbose: bool = False
    retry: int = 2
    """Attempts after the first."""
    meta_template: Any = None
    """Used by whoever renders the prompts."""
    mode: CutMode = "none"
    temperature: float | None = None
    """Sent only if it is set."""
    tokenizer_path: str | None = None
    verbose: bool = False
    think_tag: str = "</think>"
    """What ends the reasoning in an answer's text."""
    max_workers: int | None = None
    status_code_mappings: Mapping[int, str] = field(default_factory=dict[int, str])
    timeout: float | None = 3600
    """Seconds per attempt."""
    total_timeout: float | None = None
    """Seconds per request with all its attempts."""

    takes_sequences: ClassVar[bool] = False
    """Whether one call can bring several answers; else each is a call of its own, one after the other."""
    address_key: ClassVar[str] = "base_url"
    """The argument that holds the address, for messages."""

    def temperature_of(self, request: Request) -> float | None:
        """The request's own, else the model's."""
        own = request.sampling.temperature if request.sampling else None
        return self.temperature if own is None else own

    def __post_init__(self) -> None:
        _check(self)
        self.count_tokens = token_counter(self.model, self.tokenizer_path)
        self._mappings = {int(code): text for code, text in self.status_code_mappings.items()}
        self._keys = KeyPool(self.keys())
        self._log = ModelLog(self.model, self.verbose, self.rpm_verbose)
        self.bind(Limiters(), Rate(self.query_per_second) if self.query_per_second else None)

    @property
    @abstractmethod
    def model(self) -> str:
        """The model's name at the service."""

    @abstractmethod
    def keys(self) -> Sequence[str]:
        """The keys to use in turn; an empty text where none is sent."""

    @abstractmethod
    def bases(self) -> str | Sequence[str]:
        """The addresses to ask in turn."""

    @abstractmethod
    def sender(self, request: Request) -> Send:
        """One attempt at the request: takes address and key, brings the answer or raises AttemptFailed."""

    def bind(self, limiters: Limiters, rate: TokenSource | None) -> None:
        """Shares the back-off of the endpoints, and takes permits from `rate`; called before the first request."""
        endpoints = EndpointPool(self.bases(), limiters, self.address_key)
        self._route = Route(endpoints, self._keys, rate, self.retry, self.total_timeout)

    def hide(self, secrets: Iterable[str]) -> None:
        """Keeps these out of errors and logs, beside the keys."""
        self._keys.hide(secrets)

    def generate(
        self, requests: AsyncIterator[Request], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Completion]]:
        """See `Backend.generate`; without `slots`, `max_workers` requests are in flight."""
        return answer_all(self.answer, requests, slots or self.own_slots())

    def own_slots(self) -> asyncio.Semaphore:
        """As many as `max_workers`, or as OpenCompass's default."""
        return asyncio.Semaphore(self.max_workers or min(32, ((os.cpu_count() or 1) + 5) * 2))

    async def answer(self, request: Request) -> Completion:
        """The answer to one request, after all attempts it may take."""
        try:
            fitted = await self.fit(request)
        except TooLong as error:
            return Completion(Status.ERROR, attempts=0, error=str(error))
        completion = await self.ask(fitted.request)
        return _with_notes(completion, fitted, self.count_tokens.exact)

    async def fit(self, request: Request) -> FittedRequest:
        """The request as it fits into the model's context; TooLong if it cannot."""
        return fit(request, self.count_tokens, self.max_seq_len, self.mode)

    async def ask(self, request: Request) -> Completion:
        """As many calls as the request wants sequences and the service does not give at once."""
        if request.sequences == 1 or self.takes_sequences:
            return await self._call(request)
        single = replace(request, sequences=1)
        completions = [await self._call(single)]
        while len(completions) < request.sequences and completions[-1].status is not Status.ERROR:
            completions.append(await self._call(single))
        return together(completions)

    async def _call(self, request: Request) -> Completion:
        send = self.sender(request)

        async def attempt(endpoint: Endpoint, key: str) -> Completion:
            self._log.sent(request.index, endpoint.base)
            start = time.perf_counter()
            try:
                with reading():
                    completion = _first_sequences(sound(await send(endpoint, key)), request.sequences)
                latency = time.perf_counter() - start
                self._log.answered(request.index, completion, latency)
            finally:
                self._log.ended(request.index)
            return replace(completion, latency=latency)

        return await ask(attempt, self._route)


def _first_sequences(completion: Completion, wanted: int) -> Completion:
    """Of more sequences than were asked for the first ones count, and the record says so."""
    given = len(completion.texts)
    if given <= wanted:
        return completion
    told = f"the service gave {given} choices where {wanted} {'was' if wanted == 1 else 'were'} asked: the first counts"
    note = "; ".join(filter(None, (completion.note, told)))
    return replace(completion, texts=completion.texts[:wanted], note=note)


def _with_notes(completion: Completion, fitted: FittedRequest, exact: bool) -> Completion:
    gap = token_gap(fitted.prompt_tokens, completion.usage.prompt_tokens, exact)
    note = "; ".join(filter(None, (fitted.note, completion.note, gap)))
    return replace(completion, note=note) if note else completion


def _check(service: ApiService) -> None:
    """UserError for values that no request could be made with."""
    findings: list[Finding] = []
    if service.mode not in get_args(CutMode):
        message = f"there is no mode {service.mode!r}"
        findings.append(Finding(message, Place(key="mode"), nearest(str(service.mode), get_args(CutMode))))
    if service.retry < 0:
        findings.append(
            Finding(
                f"retry cannot be {service.retry}",
                Place(key="retry"),
                "give the number of further attempts, 0 for none",
            )
        )
    for name in ("query_per_second", "timeout", "total_timeout", "max_seq_len", "max_workers"):
        value = getattr(service, name)
        if value is not None and value <= 0:
            findings.append(Finding(f"{name} cannot be {value}", Place(key=name), "give a positive number, or None"))
    if findings:
        raise UserError(findings)
