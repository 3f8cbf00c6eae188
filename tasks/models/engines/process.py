"""Holds one model for the process that started it, until that process closes the connection.

usage: python -P -m tasks.models.engines.process SOCKET      (the key of the connection is in $COMPASS_ENGINE_KEY)
"""

import contextlib
import logging
import os
import queue
import signal
import sys
import threading
from importlib import import_module
from multiprocessing.connection import Connection, Listener
from typing import Any

from tasks.models.engines.interface import Engine, EngineError, Failed, Job, Load, Loaded

_log = logging.getLogger(__name__)
KEY_VARIABLE = "COMPASS_ENGINE_KEY"


def main(address: str) -> None:
    """Accepts one connection, loads what its first message names, and works until it is closed."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt of the run lets the batch at work be finished
    key = bytes.fromhex(os.environ.pop(KEY_VARIABLE))
    with Listener(address, "AF_UNIX", authkey=key) as listener:
        connection = listener.accept()
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        _serve(connection)


def _serve(connection: "Connection[Any, Any]") -> None:
    load: Load = connection.recv()
    jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(connection, jobs), name="receive", daemon=True).start()
    try:
        engine = load_engine(load)
    except EngineError as error:
        connection.send(Failed(str(error)))
        return
    except Exception as error:  # noqa: BLE001 loading runs the code of models and libraries, which may raise anything
        _log.exception("loading failed")
        connection.send(Failed(f"loading failed: {type(error).__name__}: {error}"))
        return
    connection.send(Loaded())
    while (taken := _take(jobs, wait=not engine.is_busy)) is not None:
        for done in engine.add(taken):
            connection.send(done)
        if engine.is_busy:
            for done in engine.step():
                connection.send(done)


def load_engine(load: Load) -> Engine:
    """The engine that the message names."""
    module, _, name = load.engine.rpartition(".")
    engine: Engine = getattr(import_module(module), name)(**load.arguments)
    return engine


def _receive(connection: "Connection[Any, Any]", jobs: "queue.SimpleQueue[Job | None]") -> None:
    with contextlib.suppress(EOFError, OSError):
        while (job := connection.recv()) is not None:
            jobs.put(job)
    jobs.put(None)


def _take(jobs: "queue.SimpleQueue[Job | None]", *, wait: bool) -> list[Job] | None:
    """All jobs that are there, at least one if `wait`; None once there will be no more."""
    taken: list[Job] = []
    with contextlib.suppress(queue.Empty):
        while True:
            job = jobs.get(block=wait and not taken)
            if job is None:
                return None
            taken.append(job)
    return taken


if __name__ == "__main__":
    main(sys.argv[1])
