"""Work that must not take more than so much time of a processor."""

import os
import resource
import signal
from collections.abc import Callable


def within_cpu_seconds(seconds: int, work: Callable[[], object]) -> None:
    """Does the work in a child; fails if it takes longer, or raises."""
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended not in (-signal.SIGXCPU, -signal.SIGKILL), f"it took more than {seconds} s"
    assert ended == 0, "it raised"
