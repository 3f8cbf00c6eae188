"""A rate that several processes keep together: each draws its permits in batches from where they are counted."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from math import ceil

from tasks.models.http.limiter import Rate
from tasks.models.interface import TokenSource

_log = logging.getLogger(__name__)
_BATCH_SECONDS = 0.25
"""A batch costs a request to whoever counts; a longer one would keep permits from the other processes."""


class NoPermits(Exception):
    """Whoever counts the permits cannot be asked, now or for good."""


Draw = Callable[[int], Awaitable[None]]
"""Returns once so many permits are this process's own; raises NoPermits."""


def batch_of(per_second: float) -> int:
    """How many permits are drawn at once."""
    return max(1, ceil(per_second * _BATCH_SECONDS))


class SharedRate(TokenSource):
    """At most `per_second` permits a second, each of them drawn first; not drawn any more once that failed."""

    def __init__(self, per_second: float, draw: Draw) -> None:
        self._own = Rate(per_second)
        self._batch = batch_of(per_second)
        self._draw: Draw | None = draw
        self._drawn = 0
        self._drawing = asyncio.Lock()

    async def take(self, count: int) -> None:
        for _ in range(count):
            await self._take_drawn()
            await self._own.take(1)

    async def _take_drawn(self) -> None:
        async with self._drawing:
            if self._drawn == 0 and self._draw is not None:
                await self._draw_batch(self._draw)
            self._drawn = max(0, self._drawn - 1)

    async def _draw_batch(self, draw: Draw) -> None:
        try:
            await draw(self._batch)
            self._drawn = self._batch
        except NoPermits as error:
            self._draw = None
            _log.warning("query_per_second holds for this process alone from here on: %s", error)
