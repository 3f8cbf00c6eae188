"""Backends whose model runs in an engine process on this machine."""

import asyncio
import logging
from abc import abstractmethod
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from tasks.models.engine import EngineError, Failed, Job, Load, Result
from tasks.models.engine_client import EngineProcess
from tasks.models.interface import Backend, Completion, Likelihood, Request, ScoreRequest
from tasks.spec.status import Status

_log = logging.getLogger(__name__)
_WINDOW = 2048
"""Requests of one shard that the engine may hold: enough to sort by length, few enough not to fill the memory."""
_MOST_SENDS = 2
"""A request that was inside two engines when they died has its error."""


@dataclass(slots=True)
class _Open:
    """A request inside the engine."""

    job: Job
    index: int
    """What the caller knows it by."""
    answers: "asyncio.Queue[tuple[int, Result]]"
    sends: int = 1


class EngineBackend(Backend):
    """Starts its engine at the first request, and keeps it until `close`; several shards may use it at once.

    An engine that dies is started again, once it had answered something, and is asked what was inside it.
    """

    is_api = False
    engine: ClassVar[str]
    """Dotted path of the engine's class."""

    def __init__(self) -> None:
        self._gpus: Sequence[str] | None = None
        self._process: EngineProcess | None = None
        self._starting = asyncio.Lock()
        self._open: dict[int, _Open] = {}
        self._next = 0
        self._answered = 0
        self._failure: str | None = None
        self._aside: set[asyncio.Task[None]] = set()

    @abstractmethod
    def load(self) -> dict[str, Any]:
        """The arguments of the engine's class."""

    def place(self, gpus: Sequence[str]) -> None:
        """Says which GPUs the engine sees, before the first request; else it sees those of this process."""
        self._gpus = tuple(gpus)

    @property
    def engine_pid(self) -> int | None:
        """Process id of the running engine."""
        return self._process.pid if self._process else None

    async def generate(
        self, requests: AsyncIterator[Request], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Completion]]:
        """See `Backend.generate`; the engine fills its batches itself and does not use `slots`."""
        async for index, result in self._answers(requests):
            yield index, cast(Completion, result)

    async def loglikelihood(
        self, requests: AsyncIterator[ScoreRequest], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Likelihood]]:
        """See `Backend.loglikelihood`."""
        async for index, result in self._answers(requests):
            yield index, cast(Likelihood, result)

    async def close(self) -> None:
        """Ends the engine process."""
        if self._process is not None:
            process, self._process = self._process, None
            await asyncio.to_thread(process.close)

    async def _answers(self, requests: AsyncIterator[Any]) -> AsyncIterator[tuple[int, Result]]:
        answers: asyncio.Queue[tuple[int, Result]] = asyncio.Queue()
        window = asyncio.Semaphore(_WINDOW)
        sent = 0

        async def feed() -> None:
            nonlocal sent
            async for request in requests:
                await window.acquire()
                sent += 1
                await self._send(request, answers)

        feeder = asyncio.create_task(feed())
        received = 0
        try:
            while not (feeder.done() and received == sent):
                getter = asyncio.create_task(answers.get())
                await asyncio.wait({getter, feeder} if not feeder.done() else {getter}, return_when="FIRST_COMPLETED")
                if not getter.done():
                    getter.cancel()
                    continue
                received += 1
                window.release()
                yield getter.result()
            await feeder
        finally:
            feeder.cancel()
            await asyncio.gather(feeder, return_exceptions=True)
            self._forget(answers)

    async def _send(self, request: Any, answers: "asyncio.Queue[tuple[int, Result]]") -> None:
        number, self._next = self._next, self._next + 1
        await self._start()
        entry = self._open[number] = _Open(replace(request, index=number), request.index, answers)
        if self._process is None:
            self._fail(number, self._failure or "the engine is closed", fatal=True)
        else:
            self._process.send(entry.job)

    async def _start(self) -> None:
        async with self._starting:
            if self._process is not None or self._failure is not None:
                return
            loop = asyncio.get_running_loop()

            def deliver(message: Any) -> None:
                loop.call_soon_threadsafe(self._received, message)

            try:
                load = Load(self.engine, self.load())
                self._process = await asyncio.to_thread(EngineProcess, load, deliver, self._gpus)
            except EngineError as error:
                self._failure = str(error)

    def _received(self, message: tuple[int, Result] | Failed) -> None:
        if isinstance(message, Failed):
            self._died(message)
            return
        number, result = message
        entry = self._open.pop(number, None)
        self._answered += 1
        if entry is not None:
            entry.answers.put_nowait((entry.index, replace(result, attempts=entry.sends)))

    def _died(self, failed: Failed) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._keep(asyncio.to_thread(process.close))
        again = self._answered > 0
        self._answered = 0
        if not again:
            self._failure = failed.reason
        _log.error("%s%s", failed.reason, "; it is started again" if again else "")
        for number, entry in list(self._open.items()):
            if not again or entry.sends >= _MOST_SENDS:
                self._fail(number, failed.reason, fatal=not again)
        if again and self._open:
            self._keep(self._resend())

    def _keep(self, work: Coroutine[Any, Any, None]) -> None:
        """Runs it on the side; a task that nobody holds may vanish."""
        task = asyncio.create_task(work)
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _resend(self) -> None:
        """The newest first: what killed the engine is likely among the oldest; the others are answered before it."""
        await self._start()
        for number, entry in reversed(list(self._open.items())):
            entry.sends += 1
            if self._process is None:
                self._fail(number, self._failure or "the engine is closed", fatal=True)
            else:
                self._process.send(entry.job)

    def _fail(self, number: int, reason: str, *, fatal: bool) -> None:
        entry = self._open.pop(number)
        reason = reason.splitlines()[0] if not fatal else reason
        kind = Likelihood if isinstance(entry.job, ScoreRequest) else Completion
        result = kind(Status.ERROR, attempts=entry.sends, error=reason, fatal=fatal)
        entry.answers.put_nowait((entry.index, result))

    def _forget(self, answers: "asyncio.Queue[tuple[int, Result]]") -> None:
        """Drops the requests of a stream that is not read any more; the engine's answers to them find nobody."""
        for number in [number for number, entry in self._open.items() if entry.answers is answers]:
            del self._open[number]
