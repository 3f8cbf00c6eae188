"""Turns a stream of requests into a stream of answers, each as soon as it arrives."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol, TypeVar


class Indexed(Protocol):
    """A request that its answer is told by."""

    @property
    def index(self) -> int: ...


Q = TypeVar("Q", bound=Indexed)
A = TypeVar("A")


async def answer_all(
    answer: Callable[[Q], Awaitable[A]], requests: AsyncIterator[Q], slots: asyncio.Semaphore
) -> AsyncIterator[tuple[int, A]]:
    """Answers in the order they arrive; as many requests are open as there are slots.

    An error of the request iterator or of `answer` ends the stream and is raised.
    """
    answers: asyncio.Queue[tuple[int, A] | Exception | None] = asyncio.Queue()
    running: set[asyncio.Task[None]] = set()

    async def one(request: Q) -> None:
        try:
            answers.put_nowait((request.index, await answer(request)))
        except Exception as error:  # noqa: BLE001 handed to the consumer, which raises it
            answers.put_nowait(error)

    def ended(task: asyncio.Task[None]) -> None:
        running.discard(task)
        slots.release()

    async def feed() -> None:
        try:
            async for request in requests:
                await slots.acquire()
                task = asyncio.create_task(one(request))
                running.add(task)
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
