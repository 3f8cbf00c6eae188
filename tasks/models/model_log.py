"""What a model's `verbose` and `rpm_verbose` write to the log."""

import logging
import time
from collections import deque
from dataclasses import dataclass
from urllib.parse import urlsplit

from tasks.models.interface import Completion

_log = logging.getLogger(__name__)
_MINUTE = 60.0
CHUNK = "stream_chunk"
"""Attribute of the log records that carry a `StreamChunk`."""


@dataclass(frozen=True, slots=True)
class StreamChunk:
    """What a log record carries of a streamed answer, for those who show it."""

    model: str
    request: int
    text: str = ""
    is_reasoning: bool = False
    is_last: bool = False


class ModelLog:
    """Logs the requests of one model; texts only as far as the model sends them piece by piece."""

    def __init__(self, model: str, verbose: bool, rpm_verbose: bool) -> None:
        self._model = model
        self._verbose = verbose
        self._rpm_verbose = rpm_verbose
        self._sent: deque[float] = deque()
        self._streaming: set[int] = set()
        """Requests of which pieces have come."""

    def sent(self, index: int, address: str) -> None:
        """An attempt begins."""
        if self._verbose:
            _log.info("%s: request %d sent to %s", self._model, index, urlsplit(address).netloc)
        if self._rpm_verbose:
            self._count_minute()

    def piece(self, index: int, text: str, *, is_reasoning: bool = False) -> None:
        """A piece of an answer or of its reasoning has come."""
        if self._verbose and text:
            self._streaming.add(index)
            chunk = StreamChunk(self._model, index, text, is_reasoning)
            _log.info("%s: request %d: %s", self._model, index, text, extra={CHUNK: chunk})

    def answered(self, index: int, completion: Completion, seconds: float) -> None:
        """An attempt brought an answer."""
        if self._verbose:
            ending = completion.finish_reason or "no finish reason"
            _log.info("%s: request %d %s (%s) after %.2f s", self._model, index, completion.status, ending, seconds)

    def ended(self, index: int) -> None:
        """An attempt is over, with or without an answer."""
        if index in self._streaming:
            self._streaming.discard(index)
            end = {CHUNK: StreamChunk(self._model, index, is_last=True)}
            _log.info("%s: request %d ended", self._model, index, extra=end)

    def _count_minute(self) -> None:
        now = time.monotonic()
        self._sent.append(now)
        while self._sent[0] < now - _MINUTE:
            self._sent.popleft()
        _log.info("%s: %d requests in the last 60 s", self._model, len(self._sent))
