"""Asks a judge one stream of questions on the event loop; every answer is written down when it arrives."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import cast

from tasks.infer.budget import Spending
from tasks.infer.ledger.ledger import Ledger
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Backend, Completion, Request
from tasks.score.judging.judgments import IsValid, JudgePrompt, Judgment, is_settled, judgment
from tasks.spec.identity import RequestKeyer
from tasks.spec.specs import ModelSpec

_log = logging.getLogger(__name__)
_PROMPTS_BETWEEN_PAUSES = 64
"""Questions answered from the ledger before the event loop gets its turn."""


@dataclass(slots=True)
class _Question:
    prompt: JudgePrompt
    records: list[RequestRecord] = field(default_factory=list[RequestRecord])


@dataclass(frozen=True, slots=True)
class _Pending:
    """A request on its way to the judge."""

    question: _Question
    key: str
    part: str
    request: Request


class JudgeRun:
    """The state of one stream; lives on one event loop."""

    def __init__(
        self,
        judge: ModelSpec,
        keys: RequestKeyer,
        ledger: Ledger,
        shared: Ledger | None,
        spending: Spending,
        is_valid: IsValid,
    ) -> None:
        self._judge = judge
        self._keys = keys
        self._ledger = ledger
        self._shared = shared
        self._spending = spending
        self._is_valid = is_valid
        self._questions: list[_Question] = []
        self._ready: deque[_Pending] = deque()
        self._pending: dict[int, _Pending] = {}
        self._progressed = asyncio.Event()
        self._next_index = 0
        self.answers = 0
        """How often the judge answered, errors included."""
        self.stopped: str | None = None
        """Why nothing more is asked."""

    async def run(self, backend: Backend, slots: asyncio.Semaphore, prompts: Iterable[JudgePrompt]) -> list[Judgment]:
        """A judgment per prompt, in their order; also after a halt. LedgerError if an answer cannot be noted."""
        requests = self._requests(prompts)
        stream = backend.generate(requests, slots)
        try:
            async for index, completion in stream:
                self._receive(self._pending.pop(index), completion)
        finally:
            if isinstance(stream, AsyncGenerator):
                await cast("AsyncGenerator[tuple[int, Completion], None]", stream).aclose()
            with suppress(RuntimeError):  # a backend that nests generators still holds it
                await requests.aclose()
        return [judgment(q.prompt.prompt, q.records, self._is_valid, self.stopped) for q in self._questions]

    @property
    def is_complete(self) -> bool:
        """Whether no question is left that has to be asked (again)."""
        return all(is_settled(question.records, self._is_valid) for question in self._questions)

    def halt(self, reason: str) -> None:
        """Sends no further request; those in flight are still received."""
        self.stopped = self.stopped or reason
        self._progressed.set()

    async def _requests(self, prompts: Iterable[JudgePrompt]) -> AsyncGenerator[Request, None]:
        for count, prompt in enumerate(prompts):
            question = _Question(prompt)
            self._questions.append(question)
            self._go_on(question)
            while self._ready and not self.stopped:
                yield self._send(self._ready.popleft())
            if count % _PROMPTS_BETWEEN_PAUSES == 0:
                await asyncio.sleep(0)
        while (self._pending or self._ready) and not self.stopped:
            while self._ready:
                yield self._send(self._ready.popleft())
            self._progressed.clear()
            if self._pending and not self._ready:
                await self._progressed.wait()

    def _send(self, pending: _Pending) -> Request:
        index = self._next_index
        self._next_index += 1
        self._pending[index] = pending
        return replace(pending.request, index=index)

    def _go_on(self, question: _Question) -> None:
        """Takes what is known of the question; what has to be asked is ready then."""
        while not is_settled(question.records, self._is_valid):
            pending = self._pending_of(question)
            known = self._known(pending.key)
            if known is None:
                self._ready.append(pending)
                return
            question.records.append(_without_reasoning(known))

    def _pending_of(self, question: _Question) -> _Pending:
        prompt = question.prompt
        part = f"judge {prompt.label}".strip() + (" again" if question.records else "")
        request = Request(0, prompt.prompt, self._judge.max_out_len, self._judge.min_out_len)
        return _Pending(question, self._keys(request, part, prompt.sample.repeat, prompt.sample.row), part, request)

    def _known(self, key: str) -> RequestRecord | None:
        if self._ledger.has_answer(key):
            return self._ledger.get(key)
        if self._shared is None or not self._shared.has_answer(key):
            return None
        record = self._shared.get(key)
        if record is not None:
            self._ledger.append(record)
        return record

    def _receive(self, pending: _Pending, completion: Completion) -> None:
        self.answers += 1
        record = RequestRecord(pending.key, "generate", pending.part, pending.request.prompt, completion)
        self._ledger.append(record)
        if self._shared is not None and completion.status.is_final:
            self._shared.append(record)
        if completion.error:
            _log.warning("judge %s: %s", self._judge.abbr, completion.error)
        pending.question.records.append(_without_reasoning(record))
        if reason := self._spending.answered(self._judge, completion):
            self.halt(reason)
        if completion.fatal:
            self.halt(completion.error or "the endpoint is out of service")
        self._go_on(pending.question)
        self._progressed.set()


def _without_reasoning(record: RequestRecord) -> RequestRecord:
    """What is kept in memory of a record: reasoning, most of what judges write, stays in the ledger alone."""
    assert isinstance(record.result, Completion)
    if record.result.reasoning is None:
        return record
    return replace(record, result=replace(record.result, reasoning=None))
