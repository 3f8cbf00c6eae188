"""Ctrl-C and SIGTERM: the first saves everything and ends the run, within seconds; the second ends the process."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import NoReturn

from flows.run.run import Run

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SECONDS_TO_END = 5.0
_CURSOR = "\x1b[?25h\r\n"
"""Shows the cursor again, which a progress bar hides, on a line of its own."""


@dataclass
class LastMoment:
    """After an interrupt, the process ends unless `ended` is set in time.

    What may take longer is an evaluator of the user's own, or a client whose server hangs; everything answered is in
    files that survive any death.
    """

    farewell: Callable[[], None]
    """Says what the user must know, where nobody else gets to it."""
    command: str
    """What goes on with the run."""
    ended: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> None:
        """Starts to count."""
        threading.Thread(target=self._wait, name="last-moment", daemon=True).start()

    def _wait(self) -> None:
        if self.ended.wait(_SECONDS_TO_END):
            return
        self.farewell()
        sys.stdout.flush()
        _leave(130)


@dataclass
class _Interrupt:
    """What signals do to a run on the command line."""

    run: Run
    say: Callable[[str], None]
    last_moment: LastMoment | None

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        if self.run.stop.is_set():
            _leave(128 + number, f"to go on:  {self.last_moment.command}\n" if self.last_moment else "")
        self.say("interrupted: saving what is answered (once more to stop at once)")
        self.run.interrupt()
        if self.last_moment is not None:
            self.last_moment.begin()


def _leave(status: int, words: str = "") -> NoReturn:
    """Ends the process, and its children with it; past all locks and buffers, which may be in use at this moment."""
    with suppress(OSError):
        os.write(2, f"{_CURSOR if os.isatty(2) else ''}{words}".encode(errors="backslashreplace"))
    os._exit(status)


@contextmanager
def interruptible(run: Run, say: Callable[[str], None], last_moment: LastMoment | None = None) -> Iterator[None]:
    """While the block runs, signals end the run; without effect outside of the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    interrupt = _Interrupt(run, say, last_moment)
    before = {number: signal.signal(number, interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def ended_by_sigterm(run: Run) -> Iterator[None]:
    """While the block runs in a flow, SIGTERM ends the run; without effect outside of the main thread.

    Prefect's own handler raises in the flow, which then waits for its tasks until they are done by themselves. It
    leaves SIGINT alone, which tells whether the flow runs on the command line. A worker's may get several signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    of_command_line = signal.getsignal(signal.SIGINT)
    handler = of_command_line if isinstance(of_command_line, _Interrupt) else lambda *_: run.interrupt()
    before = signal.signal(signal.SIGTERM, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
