"""Runs one shard: one stream of requests over all its parts, every answer written down when it arrives."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import fields
from operator import attrgetter
from typing import Any, Protocol, cast

from tasks.data.interface import PlannedRow
from tasks.infer.budget import Spending
from tasks.infer.inferencers.interface import Answer
from tasks.infer.ledger.ledger import LedgerError
from tasks.infer.part_manifests import PartManifest
from tasks.infer.part_run import PartRun, PendingRequest
from tasks.models.interface import Backend, Request, ScoreRequest
from tasks.spec.shard import Shard, ShardPart
from tasks.spec.storage.disk import disk_problem, is_disk_problem

_log = logging.getLogger(__name__)
_ROWS_BETWEEN_PAUSES = 256
"""Rows answered from the ledger before the event loop gets its turn."""


class ShardFailed(Exception):
    """The shard could not be finished; what it had is in the ledger."""

    def __init__(self, reason: str, *, retryable: bool, disk: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable
        """Whether running it again at once can help."""
        self.disk = disk
        """Whether answers cannot be written any more, those of other shards neither."""


class PartSource(Protocol):
    """Opens parts for a `ShardRun`, and learns which are finished; the session is one."""

    spending: Spending
    """What the run has spent, and may spend."""

    async def open(self, shard: Shard, part: ShardPart, backend: Backend) -> PartRun | PartManifest:
        """A part ready to run, or the manifest of one that was finished before."""
        ...

    def finished(self, shard: Shard, part: ShardPart, manifest: PartManifest) -> None:
        """Every row of the part has its answers."""
        ...


class ShardRun:
    """The state of a running shard; lives on one event loop."""

    def __init__(self, shard: Shard, backend: Backend, slots: asyncio.Semaphore, source: PartSource) -> None:
        self._shard = shard
        self._backend = backend
        self._slots = slots
        self._source = source
        self._manifests: dict[str, PartManifest] = {}
        self._pending: dict[int, PendingRequest] = {}
        self._ready: deque[PendingRequest] = deque()
        self._progressed = asyncio.Event()
        self._next_index = 0
        self._halt_reason: str | None = None
        self._no_more_samples: str | None = None
        """Why no sample is begun any more; those that were are asked to their end."""

    async def run(self, parts: list[ShardPart], *, scored: bool) -> list[PartManifest]:
        """Asks what is missing of `parts`, all generated or all scored; ShardFailed if it had to stop early."""
        requests = self._requests(parts)
        stream: AsyncIterator[tuple[int, Answer]]
        if scored:
            stream = self._backend.loglikelihood(cast("AsyncIterator[ScoreRequest]", requests), self._slots)
        else:
            stream = self._backend.generate(cast("AsyncIterator[Request]", requests), self._slots)
        try:
            await self._receive_all(stream)
        finally:
            await _close(stream)  # first: it may be waiting for a request
            with suppress(RuntimeError):  # a backend that nests generators still holds it; then `halt` has ended it
                await requests.aclose()
        missing = sum(part.key not in self._manifests for part in parts)
        if missing:
            reason = self._halt_reason or self._no_more_samples
            raise ShardFailed(
                reason or "the model's backend ended without answering every request", retryable=not reason
            )
        return [self._manifests[part.key] for part in parts]

    async def _receive_all(self, stream: AsyncIterator[tuple[int, Answer]]) -> None:
        try:
            async for index, answer in stream:
                self._receive(index, answer)
        except LedgerError as error:
            raise self._failed(str(error)) from error
        except OSError as error:
            if not is_disk_problem(error):
                raise
            raise self._failed(disk_problem(error)) from error

    def _failed(self, reason: str) -> ShardFailed:
        self.halt(reason)
        return ShardFailed(reason, retryable=False, disk=True)

    def halt(self, reason: str) -> None:
        """Sends no further request; those in flight are still received."""
        self._halt_reason = self._halt_reason or reason
        self._progressed.set()

    @property
    def _begins_no_more(self) -> bool:
        return bool(self._halt_reason or self._no_more_samples)

    async def _requests(self, parts: list[ShardPart]) -> AsyncGenerator[Request | ScoreRequest, None]:
        async for run in self._opened(parts):
            for count, planned in enumerate(run.rows):
                self._ready += self._begin(run, planned)
                while self._ready and not self._halt_reason:
                    yield self._send(self._ready.popleft())
                if self._begins_no_more:
                    break
                if count % _ROWS_BETWEEN_PAUSES == 0:
                    await asyncio.sleep(0)
            self._finish_if_complete(run)
        async for request in self._later_rounds():
            yield request

    async def _opened(self, parts: list[ShardPart]) -> AsyncGenerator[PartRun, None]:
        """The parts that are not finished, one after the other."""
        for part in parts:
            if self._begins_no_more:
                return
            run = await self._source.open(self._shard, part, self._backend)
            if isinstance(run, PartManifest):
                self._note(part, run)
            else:
                yield run

    def _begin(self, run: PartRun, planned: PlannedRow) -> list[PendingRequest]:
        requests = run.begin(planned)
        if requests and (reason := self._source.spending.may_start()):
            self._no_more_samples = reason
            return []
        return requests

    async def _later_rounds(self) -> AsyncGenerator[Request | ScoreRequest, None]:
        """Requests that follow from answers still to come."""
        while (self._pending or self._ready) and not self._halt_reason:
            while self._ready:
                yield self._send(self._ready.popleft())
            self._progressed.clear()
            if self._pending and not self._ready:
                await self._progressed.wait()

    def _send(self, pending: PendingRequest) -> Request | ScoreRequest:
        index = self._next_index
        self._next_index += 1
        self._pending[index] = pending
        return _numbered(pending.ask.request, index)

    def _receive(self, index: int, answer: Answer) -> None:
        pending = self._pending.pop(index)
        self._ready += pending.sample.part.receive(pending, answer)
        self._finish_if_complete(pending.sample.part)
        if reason := self._source.spending.answered(self._shard.model, answer):
            self.halt(reason)
        if answer.fatal:
            self.halt(answer.error or "the endpoint is out of service")
        self._progressed.set()

    def _finish_if_complete(self, run: PartRun) -> None:
        if run.is_complete and run.part.key not in self._manifests:
            self._note(run.part, run.manifest())
            _log.info(
                "%s rows %d-%d: done, %d without an answer", run.pair.dataset, run.part.start, run.part.stop, run.errors
            )

    def _note(self, part: ShardPart, manifest: PartManifest) -> None:
        self._manifests[part.key] = manifest
        self._source.finished(self._shard, part, manifest)


async def _close(stream: AsyncIterator[Any]) -> None:
    """Ends a backend's stream, and with it what the backend still does for it."""
    if isinstance(stream, AsyncGenerator):
        await stream.aclose()


_BESIDE_INDEX = {
    kind: attrgetter(*(each.name for each in fields(kind) if each.name != "index")) for kind in (Request, ScoreRequest)
}


def _numbered(request: Request | ScoreRequest, index: int) -> Request | ScoreRequest:
    """The request with the index it is sent under; `dataclasses.replace` takes several times as long."""
    kind: Any = type(request)
    return kind(index, *_BESIDE_INDEX[kind](request))
