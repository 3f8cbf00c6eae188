"""One part of a shard while it runs: rows become dialogues, dialogues become requests, answers become records."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tasks.data.interface import PlannedRow
from tasks.infer.inferencers.interface import Answer, Ask, Dialogue, Inferencer, Limits
from tasks.infer.ledger.ledger import Ledger
from tasks.infer.ledger.records import RequestRecord
from tasks.infer.part_manifests import PartKeys, PartManifest, write_part
from tasks.infer.progress import Counters
from tasks.models.interface import Request, ScoreRequest
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Prompt
from tasks.spec.shard import ShardPart
from tasks.spec.status import Status, worst
from tasks.spec.storage.run_folder import Pair

_log = logging.getLogger(__name__)


class RequestKeys(Protocol):
    """Gives the key of a request of one row (see `tasks.spec.identity`)."""

    def __call__(self, ask: Ask, planned: PlannedRow) -> str: ...


class Adoption(Protocol):
    """Gives the answer that a file of another system holds for this very prompt."""

    def __call__(self, prompt: Prompt) -> Answer | None: ...


@dataclass(slots=True)
class OpenSample:
    """A row whose dialogue is not finished."""

    part: "PartRun"
    planned: PlannedRow
    dialogue: Dialogue
    keys: list[str] = field(default_factory=list[str])
    statuses: list[Status] = field(default_factory=list[Status])
    asks: Sequence[Ask] = ()
    answers: list[Answer | None] = field(default_factory=list["Answer | None"])
    asked: bool = False
    """Whether anything had to be asked in this run."""


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request on its way to the model."""

    sample: OpenSample
    slot: int
    """Its place in the sample's current round."""
    key: str
    ask: Ask


class PartRun:
    """Drives the dialogues of one part; everything happens on the event loop that runs the shard."""

    def __init__(
        self,
        part: ShardPart,
        pair: Pair,
        *,
        rows: Sequence[PlannedRow],
        inferencer: Inferencer,
        renderer: PromptRenderer,
        limits: Limits,
        keys: RequestKeys,
        ledger: Ledger,
        counters: Counters,
        adopted: Adoption | None = None,
    ) -> None:
        self.part = part
        self.pair = pair
        self.rows = rows
        self._inferencer = inferencer
        self._renderer = renderer
        self._limits = limits
        self._key = keys
        self._ledger = ledger
        self._counters = counters
        self._adopted = adopted
        self.shared: Ledger | None = None
        """Answers that all runs share."""
        self._keys = PartKeys(len(rows))

    @property
    def is_complete(self) -> bool:
        return self._counters.done == len(self.rows)

    @property
    def errors(self) -> int:
        """Samples without an answer so far."""
        return self._counters.errors

    def begin(self, planned: PlannedRow) -> list[PendingRequest]:
        """Starts a row; returns the requests that have to be sent, none if the ledger has its answers."""
        dialogue = self._inferencer.dialogue(self._renderer, planned.row, self._limits)
        sample = OpenSample(self, planned, dialogue)
        return self._next_round(sample, next(dialogue))

    def receive(self, pending: PendingRequest, answer: Answer) -> list[PendingRequest]:
        """Writes an answer down; returns the requests that follow from it. LedgerError if it cannot be written."""
        sample = pending.sample
        record = _record(pending.key, pending.ask, answer)
        self._ledger.append(record)
        if self.shared is not None and answer.status.is_final:
            self.shared.append(record)
        self._counters.answered(answer)
        if answer.status is Status.ERROR:
            _log.warning("%s row %d: %s", self.pair.dataset, sample.planned.row, getattr(answer, "error", None))
        sample.answers[pending.slot] = answer
        return self._advance(sample)

    def manifest(self) -> PartManifest:
        """Writes the part file; called when all rows are complete."""
        return write_part(self._ledger.folder, self.part.key, self.part.start, self._keys, self.errors)

    def _next_round(self, sample: OpenSample, asks: Sequence[Ask]) -> list[PendingRequest]:
        sample.asks = asks
        sample.answers = [None] * len(asks)
        pending: list[PendingRequest] = []
        for slot, ask in enumerate(asks):
            key = self._key(ask, sample.planned)
            sample.keys.append(key)
            known = self._known(key, ask)
            if known is not None:
                sample.answers[slot] = known
            else:
                pending.append(PendingRequest(sample, slot, key, ask))
        if pending:
            sample.asked = True
            return pending
        return self._advance(sample)

    def _known(self, key: str, ask: Ask) -> Answer | None:
        if self._ledger.has_answer(key):
            record = self._ledger.get(key)
            return record.result if record else None
        if self.shared is not None and self.shared.has_answer(key):
            record = self.shared.get(key)
            if record is not None:
                self._ledger.append(record)
                return record.result
        if self._adopted is None or not isinstance(ask.request, Request):
            return None
        answer = self._adopted(ask.request.prompt)
        if answer is not None:
            self._ledger.append(_record(key, ask, answer))
        return answer

    def _advance(self, sample: OpenSample) -> list[PendingRequest]:
        answers = [answer for answer in sample.answers if answer is not None]
        if len(answers) < len(sample.answers):
            return []
        sample.statuses += [answer.status for answer in answers]
        asks = None if Status.ERROR in sample.statuses else _continue(sample.dialogue, answers)
        if asks is None:
            self._complete(sample)
            return []
        return self._next_round(sample, asks)

    def _complete(self, sample: OpenSample) -> None:
        status = worst(sample.statuses)
        self._keys.put(sample.planned.position - self.part.start, sample.keys)
        self._counters.completed(status, reused=not sample.asked)


def _continue(dialogue: Dialogue, answers: Sequence[Answer]) -> Sequence[Ask] | None:
    try:
        return dialogue.send(answers)
    except StopIteration:
        return None


def _record(key: str, ask: Ask, answer: Answer) -> RequestRecord:
    request = ask.request
    if isinstance(request, ScoreRequest):
        text = request.context + request.continuation
        return RequestRecord(key, "loglikelihood", ask.part, text, answer, ask.examples)
    return RequestRecord(key, "generate", ask.part, request.prompt, answer)
