"""The first process of a sandbox: it limits another one, waits for its end, and takes along whatever that left."""

import contextlib
import os
import resource
import select
import signal
import time
from collections.abc import Callable
from typing import Any, NamedTuple

_DESCRIPTORS = 1024
CONTROL = 1
"""The descriptor on which this process reports, and on whose end it ends: standard output, a socket."""


class End(NamedTuple):
    """How a process ended."""

    status: int
    """Negative for a signal."""
    cpu_seconds: float


def report(channel: int, word: str, number: float = 0, text: str = "") -> None:
    """Writes one line."""
    line = f"{word} {number} {text}".replace("\n", " ").replace("\r", " ")
    os.write(channel, f"{line}\n".encode("utf-8", "backslashreplace"))


def start(run: Callable[[], None], limits: dict[str, int], uid: int | None, *kept: int) -> int:
    """The id of a new process that runs under the limits, as that user, with no descriptor but those kept."""
    process = os.fork()
    if process == 0:
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _close_all_but(kept)
            _limit(limits)
            _become(uid)
            run()
        finally:
            os._exit(1)
    return process


def wake_on_child() -> int:
    """A descriptor that becomes readable when a child ends."""
    readable, writable = os.pipe()
    os.set_blocking(readable, False)
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return readable


def wait(process: int, wakeup: int, wall_seconds: float) -> End | None:
    """None if it runs on when the time is over. Ends this process if nobody listens to its reports any more."""
    deadline = time.monotonic() + wall_seconds
    while True:
        ended, status, used = _ended()
        if ended == process:
            return End(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime)
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        readable = select.select([wakeup, CONTROL], [], [], left)[0] if ended == 0 else []
        if CONTROL in readable:
            os._exit(0)
        if wakeup in readable:
            with contextlib.suppress(BlockingIOError):
                os.read(wakeup, 512)


def _ended() -> tuple[int, int, Any]:
    """The first process of a sandbox inherits orphans."""
    return os.wait4(-1, os.WNOHANG)


def _close_all_but(kept: tuple[int, ...]) -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    first = 3
    for number in sorted(kept):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, _DESCRIPTORS)


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is not None:
            highest = value + 1 if name == "RLIMIT_CPU" else value  # the signal of the soft limit tells a timeout
            with contextlib.suppress(ValueError, OSError):  # a lower limit is in force, or there is no such limit
                resource.setrlimit(kind, (value, highest))


def _become(uid: int | None) -> None:
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
