"""A process that works for `tasks.score.parallel`: `python -P -m tasks.score.child SOCKET [MEMORY_LIMIT]`."""

import os
import resource
import signal
import socket
import sys
from multiprocessing.connection import Connection

from tasks.spec.type_loading import import_type


def main(path: str, memory: int | None = None) -> None:
    """Answers chunks until the other side closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    connection = Connection(client.detach())
    while True:
        try:
            function, chunk = connection.recv()
        except (EOFError, ConnectionError):
            return
        connection.send(_answer(function, chunk))


def _answer(function: str, chunk: object) -> tuple[bool, object]:
    try:
        return False, import_type(function)(chunk)
    except MemoryError:
        os._exit(1)  # what is left of this process is not to be trusted
    except Exception as error:  # noqa: BLE001  post-processors and evaluators of the user's own may raise anything
        return True, f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    main(sys.argv[1], *(int(limit) for limit in sys.argv[2:]))
