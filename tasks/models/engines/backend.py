"""Backends whose model runs in engine processes on this machine."""

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from typing import Any, ClassVar, cast

from tasks.models.engines.gpu_allocation import GpuTurn
from tasks.models.engines.interface import Load, Result
from tasks.models.engines.replica import Answers, Replica
from tasks.models.interface import Backend, Completion, Likelihood, Request, ScoreRequest

_WINDOW = 2048
"""Requests of one shard that the engines may hold: enough to sort by length, few enough not to fill the memory."""
_BUSY = 64
"""Requests that each running replica has before another one is started: weights take long to load."""


class EngineBackend(Backend):
    """Starts an engine at the first request, and keeps it until `close`; several shards may use it at once.

    Where the GPUs allow it there are several replicas, each an engine process with GPUs of its own.
    """

    is_api = False
    engine: ClassVar[str]
    """Dotted path of the engine's class."""
    parallel_keys: ClassVar[tuple[str, ...]] = ()
    """Arguments whose product is the number of GPUs that one replica uses."""
    runs_on_cpu: ClassVar[bool] = False
    """Whether the model can be loaded where there is no GPU."""

    def __init__(self) -> None:
        self._groups: Sequence[Sequence[str] | None] = (None,)
        self._turn: GpuTurn | None = None
        self._replicas: list[Replica] = []

    @abstractmethod
    def load(self) -> dict[str, Any]:
        """The arguments of the engine's class."""

    def place(self, groups: Sequence[Sequence[str]], turn: GpuTurn | None = None) -> None:
        """Says which GPUs the replicas see, before the first request; else there is one that sees all.

        Models that share a `turn` use the GPUs one after the other.
        """
        self._groups = tuple(groups)
        self._turn = turn

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
        """Ends the engine processes; a later request starts them again."""
        replicas, self._replicas = self._replicas, []
        await asyncio.gather(*(replica.close() for replica in replicas))

    async def _answers(self, requests: AsyncIterator[Any]) -> AsyncIterator[tuple[int, Result]]:
        answers: Answers = asyncio.Queue()
        window = asyncio.Semaphore(_WINDOW)
        sent = received = 0

        async def feed() -> None:
            nonlocal sent
            async for request in requests:
                await window.acquire()
                sent += 1
                await self._replica().send(request, answers)

        async with AsyncExitStack() as stack:
            if self._turn is not None:
                await stack.enter_async_context(self._turn.use(self))
            feeder = asyncio.create_task(feed())
            try:
                while not (feeder.done() and received == sent):
                    getter = asyncio.create_task(answers.get())
                    waited = {getter} if feeder.done() else {getter, feeder}
                    await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
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
                for replica in self._replicas:
                    replica.forget(answers)

    def _replica(self) -> Replica:
        """The one with the least to do; a new one while all are busy and there are GPUs for it."""
        working = [replica for replica in self._replicas if not replica.has_failed] or self._replicas
        least = min(working, key=len, default=None)
        if least is None or (len(least) >= _BUSY and len(self._replicas) < len(self._groups)):
            least = Replica(Load(self.engine, self.load()), self._groups[len(self._replicas)])
            self._replicas.append(least)
        return least
