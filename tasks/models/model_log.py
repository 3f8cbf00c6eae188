"""What a model's `verbose` and `rpm_verbose` write to the log."""

import logging
import time
from collections import deque
from urllib.parse import urlsplit

from tasks.models.interface import Completion

_log = logging.getLogger(__name__)
_MINUTE = 60.0


class ModelLog:
    """Logs the requests of one model; texts only as far as the model sends them piece by piece."""

    def __init__(self, model: str, verbose: bool, rpm_verbose: bool) -> None:
        self._model = model
        self._verbose = verbose
        self._rpm_verbose = rpm_verbose
        self._sent: deque[float] = deque()

    def sent(self, index: int, address: str) -> None:
        """An attempt begins."""
        if self._verbose:
            _log.info("%s: request %d sent to %s", self._model, index, urlsplit(address).netloc)
        if self._rpm_verbose:
            self._count_minute()

    def piece(self, index: int, text: str) -> None:
        """A piece of an answer or of its reasoning has come."""
        if self._verbose and text:
            _log.info("%s: request %d: %s", self._model, index, text)

    def answered(self, index: int, completion: Completion, seconds: float) -> None:
        """An attempt brought an answer."""
        if self._verbose:
            ending = completion.finish_reason or "no finish reason"
            _log.info("%s: request %d %s (%s) after %.2f s", self._model, index, completion.status, ending, seconds)

    def _count_minute(self) -> None:
        now = time.monotonic()
        self._sent.append(now)
        while self._sent[0] < now - _MINUTE:
            self._sent.popleft()
        _log.info("%s: %d requests in the last 60 s", self._model, len(self._sent))
