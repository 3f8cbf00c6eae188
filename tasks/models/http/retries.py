"""One request with all its attempts: which key and address each takes, how long it waits, and when it gives up."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

from tasks.models.answering import wait_for_next_attempt
from tasks.models.http.endpoints import Endpoint, EndpointPool
from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.keys import KeyPool
from tasks.models.interface import Completion, TokenSource
from tasks.spec.status import Status

_log = logging.getLogger(__name__)
_BACK_OFF = wait_exponential(multiplier=0.5, max=60) + wait_random(0, 0.5)
_UNANSWERED = (FailureKind.CONNECTION, FailureKind.TIMEOUT)
_SPREAD_SECONDS = 0.1
"""After a pause that the service asked for, so that not all come back at one moment."""

Send = Callable[[Endpoint, str], Awaitable[Completion]]
"""One attempt at an address with a key; raises AttemptFailed."""


@dataclass(frozen=True)
class Route:
    """What all requests of one model share on their way."""

    endpoints: EndpointPool
    keys: KeyPool
    rate: TokenSource | None
    retries: int
    """Attempts after the first."""
    total_timeout: float | None
    """Seconds for a request with all its attempts and pauses."""


async def ask(send: Send, route: Route) -> Completion:
    """The answer, or a Completion with status `error` once no further attempt is allowed or makes sense."""
    attempts = _Attempts(send, route)
    try:
        if route.total_timeout is None:
            return await attempts.run()
        async with asyncio.timeout(route.total_timeout):
            return await attempts.run()
    except TimeoutError:
        return attempts.out_of_time()
    except AttemptFailed as failure:
        return attempts.failed(failure)


class _Attempts:
    """The attempts of one request."""

    def __init__(self, send: Send, route: Route) -> None:
        self._send = send
        self._route = route
        self._count = 0
        self._last: AttemptFailed | None = None
        self._cut_off: Endpoint | None = None
        """The endpoint that had not answered when the request's time was over."""

    async def run(self) -> Completion:
        """The first answer; AttemptFailed of the last attempt if there was none."""
        try:
            completion = await self._with_some_key()
        except AttemptFailed as failure:
            completion = await self._again(failure)
        error = self._route.keys.redact(completion.error) if completion.error else None
        return replace(completion, attempts=self._count, error=error)

    async def _again(self, first: AttemptFailed) -> Completion:
        """Begins after the first failure, since tenacity would cost every request a sixth of its CPU time."""
        completion = Completion(Status.ERROR)
        async for trial in AsyncRetrying(
            retry=retry_if_exception(_is_retryable),
            stop=stop_after_attempt(self._route.retries + 1),
            wait=_wait,
            sleep=wait_for_next_attempt,
            reraise=True,
        ):
            with trial:
                if trial.retry_state.attempt_number == 1:
                    raise first
                completion = await self._with_some_key()
        return completion

    def out_of_time(self) -> Completion:
        """The Completion of a request whose `total_timeout` is over."""
        if self._cut_off is not None:
            self._route.endpoints.unreachable(self._cut_off)
        reason = f"no answer within {self._route.total_timeout:g} s (total_timeout)"
        if self._last is not None:
            reason = f"{reason}; last failure: {self._last.reason}"
        return self.failed(AttemptFailed(FailureKind.TIMEOUT, reason))

    def failed(self, failure: AttemptFailed) -> Completion:
        """The Completion that tells of the failure."""
        reason, fatal = failure.reason, failure.kind is FailureKind.UNABLE
        if failure.kind is FailureKind.KEY:
            reason, fatal = f"no key is left that the service takes; the last one: {reason}", True
        if failure.kind in _UNANSWERED and self._route.endpoints.dead:
            reason, fatal = f"{reason}; nothing has answered there for many attempts", True
        error = self._route.keys.redact(reason)
        return Completion(Status.ERROR, attempts=self._count, error=error, note=failure.note, fatal=fatal)

    async def _with_some_key(self) -> Completion:
        """One attempt; keys that the service does not take cost none."""
        while True:
            key = self._route.keys.take()
            if key is None:
                refused = self._last if self._last and self._last.kind is FailureKind.KEY else None
                raise refused or AttemptFailed(FailureKind.KEY, "the service refused the key before")
            try:
                return await self._once(self._route.endpoints.take(), key)
            except AttemptFailed as failure:
                self._last = failure
                if failure.kind is not FailureKind.KEY:
                    _log.info("attempt %d failed: %s", self._count, self._route.keys.redact(failure.reason))
                    raise
                if self._route.keys.drop(key):
                    _log.warning("a key is no longer used: %s", self._route.keys.redact(failure.reason))

    async def _once(self, endpoint: Endpoint, key: str) -> Completion:
        limiter = endpoint.limiter
        sent_in_round = await limiter.enter(self._route.rate)
        self._count += 1
        limiter.retries += self._count > 1
        try:
            completion = await self._send(endpoint, key)
            limiter.answered()
            self._route.endpoints.answered(endpoint)
            return completion
        except AttemptFailed as failure:
            if failure.kind in _UNANSWERED:
                self._route.endpoints.unreachable(endpoint)
            else:
                self._route.endpoints.answered(endpoint)
            if failure.kind is FailureKind.THROTTLED:
                limiter.throttled(sent_in_round, failure.retry_after)
            raise
        except asyncio.CancelledError:
            self._cut_off = endpoint
            raise
        finally:
            limiter.leave()


def _is_retryable(error: BaseException) -> bool:
    return isinstance(error, AttemptFailed) and error.retryable


def _wait(state: RetryCallState) -> float:
    """The limiter keeps the pause that a service asked for; every other failure backs off exponentially."""
    failure = state.outcome.exception() if state.outcome else None
    if isinstance(failure, AttemptFailed) and failure.kind is FailureKind.THROTTLED and failure.retry_after is not None:
        return random.uniform(0, _SPREAD_SECONDS)
    return _BACK_OFF(state)
