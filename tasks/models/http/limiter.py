"""How fast an endpoint may be asked: a rate per model, and back-off for everyone when the endpoint asks for it.

Every model has its own rate and its own cap of requests in flight; nothing here raises or merges those. What is
shared by all that talk to one endpoint is its answer "too many": once more than one in five requests get 429 or 503,
the window of requests in flight shrinks by half; it grows by one for every window of answers that came through. A
service that refuses now and then, whatever is in flight, would refuse no less of fewer. `Retry-After` pauses everyone.
"""

import asyncio
import time
from collections import deque
from dataclasses import dataclass

from aiolimiter import AsyncLimiter

from tasks.models.interface import TokenSource

_LONGEST_PAUSE_SECONDS = 3600.0
_ANSWERS_PER_REFUSAL = 4
"""So many answers make up for one refusal."""
_PATIENCE = 8
"""The window shrinks after an eighth of it in refusals, beyond those that answers made up for; two at least."""
_BURST_SECONDS = 0.02
"""How much of a second's permits a rate may store: hides the timer's coarseness at high rates."""


class Rate(TokenSource):
    """At most `per_second` permits a second, evenly spaced."""

    def __init__(self, per_second: float) -> None:
        burst = max(1.0, per_second * _BURST_SECONDS)
        self._bucket = AsyncLimiter(burst, burst / per_second)

    async def take(self, count: int) -> None:
        for _ in range(count):
            await self._bucket.acquire()


@dataclass(frozen=True, slots=True)
class LimiterState:
    """What people are told of an endpoint's limiter."""

    host: str
    window: int | None
    """Requests in flight at most; None where the endpoint has not complained."""
    pause: float
    """Seconds until something is sent again; 0 where nothing is held back."""
    retries: int
    """Attempts beyond the first of each request, up to now."""


class EndpointLimiter:
    """The back-off state of one endpoint; used on one event loop, its plain attributes may be read from anywhere."""

    def __init__(self) -> None:
        self.in_flight = 0
        """Requests sent and not yet answered."""
        self.window: float | None = None
        """How many may be in flight at once; None: the endpoint has not complained."""
        self.paused_until = 0.0
        """Nothing is sent before this time (clock of `time.monotonic`)."""
        self.retries = 0
        """Attempts beyond the first of each request."""
        self._admitted = 0
        self._round = 0
        self._refusals = 0.0
        """In this round, less what answers have made up for."""
        self._waiting: deque[asyncio.Future[None]] = deque()

    @property
    def is_paused(self) -> bool:
        return self.paused_until > time.monotonic()

    def state(self, host: str) -> LimiterState:
        """How the limiter stands now; from any thread."""
        window, pause = self.window, max(0.0, self.paused_until - time.monotonic())
        return LimiterState(host, None if window is None else int(window), pause, self.retries)

    async def enter(self, rate: TokenSource | None) -> int:
        """Waits until one more request may be sent; the number returned goes to `throttled`. `leave` must follow."""
        while self.is_paused or self._is_full():
            await self._wait()
        self._admitted += 1
        if rate is not None:
            await self._take_permit(rate)
        self.in_flight += 1
        return self._round

    def leave(self) -> None:
        """The request has been answered or given up."""
        self.in_flight -= 1
        self._give_up_place()

    def answered(self) -> None:
        """The endpoint served a request: the window grows by one per window of answers."""
        self._refusals = max(0.0, self._refusals - 1 / _ANSWERS_PER_REFUSAL)
        if self.window is not None and self._admitted >= int(self.window):
            self.window += 1 / self.window
            self._wake_one()

    def throttled(self, sent_in_round: int, retry_after: float | None) -> None:
        """The endpoint said "too many" to a request sent in that round; one round halves the window once."""
        if sent_in_round == self._round:
            self._refusals += 1
            if self._refusals >= max(2, self.in_flight / _PATIENCE):
                self._shrink()
        if retry_after is not None:
            pause = min(retry_after, _LONGEST_PAUSE_SECONDS)
            self.paused_until = max(self.paused_until, time.monotonic() + pause)

    def _shrink(self) -> None:
        self._round += 1
        self._refusals = 0.0
        self.window = max(1.0, min(self.window or self.in_flight, self.in_flight) / 2)

    async def _take_permit(self, rate: TokenSource) -> None:
        """A permit that a pause has made stale is taken anew, or all would be used at once when the pause ends."""
        try:
            await rate.take(1)
            while self.is_paused:
                await self._wait()
                await rate.take(1)
        except BaseException:
            self._give_up_place()
            raise

    def _give_up_place(self) -> None:
        self._admitted -= 1
        self._wake_one()

    def _is_full(self) -> bool:
        return self.window is not None and self._admitted >= int(self.window)

    async def _wait(self) -> None:
        pause = self.paused_until - time.monotonic()
        if pause > 0:
            await asyncio.sleep(pause)
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._wake_one()
            raise

    def _wake_one(self) -> None:
        while self._waiting and not self._is_full():
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                return
