"""One engine process with what is inside it; started at its first request, and again if it dies."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tasks.models.engines.client import EngineProcess
from tasks.models.engines.interface import EngineError, Failed, Job, Load, Result
from tasks.models.interface import Completion, Likelihood, ScoreRequest
from tasks.spec.status import Status

_log = logging.getLogger(__name__)
_MOST_SENDS = 2
"""A request that was inside two engines when they died has its error."""
_MOST_BARREN = 2
"""Engines in a row that may die without an answer before there is no further one."""

Answers = asyncio.Queue[tuple[int, Result]]


@dataclass(slots=True)
class _Open:
    """A request inside the engine."""

    job: Job
    index: int
    """What the caller knows it by."""
    answers: Answers
    sends: int = 1


class Replica:
    """Lives on one event loop.

    An engine that dies after it had loaded its model is started again and asked what was inside it.
    """

    def __init__(self, load: Load, gpus: Sequence[str] | None = None) -> None:
        self._load = load
        self._gpus = gpus
        self._process: EngineProcess | None = None
        self._starting = asyncio.Lock()
        self._open: dict[int, _Open] = {}
        self._next = 0
        self._has_answered = False
        self._barren = 0
        self._failure: str | None = None
        self._aside: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Requests inside it."""
        return len(self._open)

    @property
    def has_failed(self) -> bool:
        """Whether it cannot be started."""
        return self._failure is not None

    async def send(self, request: Any, answers: Answers) -> None:
        """Asks; the result is put into `answers` under the request's index, an error included."""
        number, self._next = self._next, self._next + 1
        await self._start()
        entry = self._open[number] = _Open(replace(request, index=number), request.index, answers)
        if self._process is None:
            self._fail(number, self._failure or "the engine is closed", fatal=True)
        else:
            self._process.send(entry.job)

    def forget(self, answers: Answers) -> None:
        """Drops the requests of a stream that is not read any more; the engine's answers to them find nobody."""
        for number in [number for number, entry in self._open.items() if entry.answers is answers]:
            del self._open[number]

    async def close(self) -> None:
        """Ends the process; a later request starts another."""
        if self._process is not None:
            process, self._process = self._process, None
            await asyncio.to_thread(process.close)

    async def _start(self) -> None:
        async with self._starting:
            if self._process is not None or self._failure is not None:
                return
            loop = asyncio.get_running_loop()

            def deliver(message: Any) -> None:
                loop.call_soon_threadsafe(self._received, message)

            try:
                self._process = await asyncio.to_thread(EngineProcess, self._load, deliver, self._gpus)
            except EngineError as error:
                self._failure = str(error)

    def _received(self, message: tuple[int, Result] | Failed) -> None:
        if isinstance(message, Failed):
            self._died(message)
            return
        number, result = message
        entry = self._open.pop(number, None)
        self._has_answered = True
        if entry is not None:
            entry.answers.put_nowait((entry.index, replace(result, attempts=entry.sends)))

    def _died(self, failed: Failed) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self._keep(asyncio.to_thread(process.close))
        self._barren = 0 if self._has_answered else self._barren + 1
        self._has_answered = False
        again = failed.had_loaded and self._barren < _MOST_BARREN
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
        reason = reason if fatal else reason.splitlines()[0]
        kind = Likelihood if isinstance(entry.job, ScoreRequest) else Completion
        result = kind(Status.ERROR, attempts=entry.sends, error=reason, fatal=fatal)
        entry.answers.put_nowait((entry.index, result))
