"""Ctrl-C and SIGTERM: the first saves everything and ends the run, within seconds; the second ends the process."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from flows.console import say
from flows.run import Run

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SECONDS_TO_END = 5.0


@dataclass
class LastMoment:
    """After an interrupt, the process ends unless `ended` is set in time.

    What may take longer is an evaluator of the user's own, or a client whose server hangs; everything answered is in
    files that survive any death.
    """

    farewell: Callable[[], None]
    """Says what the user must know, where nobody else gets to it."""
    ended: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        """Starts to count."""
        threading.Thread(target=self._wait, name="last-moment", daemon=True).start()

    def _wait(self) -> None:
        if self.ended.wait(_SECONDS_TO_END):
            return
        self.farewell()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(130)  # children end with this process


@contextmanager
def interruptible(run: Run, last_moment: LastMoment | None = None) -> Iterator[None]:
    """While the block runs, signals end the run; without effect outside of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if run.stop.is_set():
            os._exit(128 + number)  # children end with this process
        say("interrupted: saving what is answered (once more to stop at once)")
        run.interrupt()
        if last_moment is not None:
            last_moment.begin()

    before = {number: signal.signal(number, interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
