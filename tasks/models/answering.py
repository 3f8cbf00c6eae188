"""Turns a stream of requests into a stream of answers, each as soon as it arrives."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Protocol, TypeVar


class Indexed(Protocol):
    """A request that its answer is told by."""

    @property
    def index(self) -> int: ...


Q = TypeVar("Q", bound=Indexed)
A = TypeVar("A")


class _Places:
    """The slots that the open requests of one stream hold."""

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self.slots = slots
        self.open = 0
        """Requests that are not answered, those that wait included."""
        self.waiting = 0
        """Requests that hold no slot until their next attempts."""


class _Place:
    """That of one open request."""

    def __init__(self, places: _Places) -> None:
        self._places = places
        self._is_held = True
        places.open += 1

    async def wait(self, seconds: float) -> None:
        """Half of the open requests at most give their slots away: what fails for all must not open all at once."""
        places = self._places
        if 2 * places.waiting >= places.open:
            await asyncio.sleep(seconds)
            return
        self._free()
        places.waiting += 1
        try:
            await asyncio.sleep(seconds)
            await places.slots.acquire()
            self._is_held = True
        finally:
            places.waiting -= 1

    def close(self) -> None:
        self._places.open -= 1
        if self._is_held:
            self._free()

    def _free(self) -> None:
        self._is_held = False
        self._places.slots.release()


_place: ContextVar[_Place | None] = ContextVar("place", default=None)


async def wait_for_next_attempt(seconds: float) -> None:
    """Sleeps; the slot of the request that is being answered is meanwhile free for another one of its stream."""
    place = _place.get()
    await (place.wait(seconds) if place else asyncio.sleep(seconds))


async def answer_all(
    answer: Callable[[Q], Awaitable[A]], requests: AsyncIterator[Q], slots: asyncio.Semaphore
) -> AsyncIterator[tuple[int, A]]:
    """Answers in the order they arrive; as many requests are asked at once as there are slots.

    As many again may be between two attempts, see `wait_for_next_attempt`. An error of the request iterator or of
    `answer` ends the stream and is raised.
    """
    answers: asyncio.Queue[tuple[int, A] | Exception | None] = asyncio.Queue()
    places = _Places(slots)
    running: dict[asyncio.Task[None], _Place] = {}

    async def one(request: Q, place: _Place) -> None:
        _place.set(place)
        try:
            answers.put_nowait((request.index, await answer(request)))
        except Exception as error:  # noqa: BLE001 handed to the consumer, which raises it
            answers.put_nowait(error)

    def ended(task: asyncio.Task[None]) -> None:
        running.pop(task).close()

    async def feed() -> None:
        try:
            async for request in requests:
                await slots.acquire()
                place = _Place(places)
                task = asyncio.create_task(one(request, place))
                running[task] = place
                task.add_done_callback(ended)
            while running:
                await asyncio.wait(running)
            answers.put_nowait(None)
        except Exception as error:  # noqa: BLE001 handed to the consumer, which raises it
            answers.put_nowait(error)

    feeder = asyncio.create_task(feed())
    try:
        while (item := await answers.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        await _cancel(feeder)
        await _cancel(*running)


async def _cancel(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
