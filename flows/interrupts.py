"""Ctrl-C and SIGTERM: the first saves everything and ends the run, the second ends the process."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from flows.console import say
from flows.run import Run

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interruptible(run: Run) -> Iterator[None]:
    """While the block runs, signals end the run; without effect outside of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, _frame: FrameType | None) -> None:
        if run.stop.is_set():
            os._exit(128 + number)  # children end with this process
        say("interrupted: saving what is answered (once more to stop at once)")
        run.interrupt()

    before = {number: signal.signal(number, interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
