"""A process that works for `tasks.score.parallel`: `python -P -m tasks.score.child SOCKET [MEMORY SECONDS FIRST]`.

MEMORY limits its address space in bytes, SECONDS its processor time per chunk, and FIRST that of the first one.
"""

import os
import resource
import signal
import socket
import sys
from multiprocessing.connection import Connection

from tasks.spec.names.type_loading import import_type


def main(path: str, memory: int = 0, seconds: float = 0.0, first: float = 0.0) -> None:
    """Answers chunks until the other side closes the connection; zeros mean no limit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    connection = Connection(client.detach())
    left = first
    while True:
        try:
            function, chunk = connection.recv()
        except (EOFError, ConnectionError):
            return
        # The signal that comes then ends the process, even in the midst of one operation.
        signal.setitimer(signal.ITIMER_PROF, left)
        answer = _answer(function, chunk)
        signal.setitimer(signal.ITIMER_PROF, 0)
        connection.send(answer)
        left = seconds


def _answer(function: str, chunk: object) -> tuple[bool, object]:
    try:
        return False, import_type(function)(chunk)
    except MemoryError:
        os._exit(1)  # what is left of this process is not to be trusted
    except Exception as error:  # noqa: BLE001  post-processors and evaluators of the user's own may raise anything
        return True, f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
    else:
        main(sys.argv[1])
