"""The near end of an engine process: starts it, hands it jobs, takes its results, ends it."""

import contextlib
import logging
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

from tasks.models.engines.interface import Done, EngineError, Failed, Job, Load, Loaded
from tasks.models.engines.machine_gpus import device_variable
from tasks.models.engines.process import KEY_VARIABLE
from tasks.spec.storage.temporary_folder import held_folder
from tasks.supervisor import Supervised, start

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.02
_GRACE_SECONDS = 5.0

Deliver = Callable[[Done | Failed], None]


class EngineProcess:
    """A running engine process; `deliver` is called on another thread with every result, and with Failed if it dies."""

    def __init__(self, load: Load, deliver: Deliver, gpus: Sequence[str] | None = None) -> None:
        """Returns once the process can be sent jobs, which is before its model is loaded; EngineError if it ended."""
        self._held = contextlib.ExitStack()
        folder = self._held.enter_context(held_folder("engine"))
        self._deliver = deliver
        self._sending = threading.Lock()
        self._closing = self._loaded = False
        key = secrets.token_bytes(32)
        address = str(folder / "socket")
        self._process = _start(address, key, folder / "engine.log", gpus)
        try:
            self._connection = _connect(address, key, self._process)
            self._connection.send(load)
        except BaseException:
            self._end()
            raise
        self._thread = threading.Thread(target=self._receive, name="engine", daemon=True)
        self._thread.start()

    def send(self, job: Job) -> None:
        """Hands over a job; a process that ended meanwhile is told by `deliver`, not here."""
        with self._sending, contextlib.suppress(OSError):
            self._connection.send(job)

    def close(self) -> None:
        """Ends the process; blocks for the batch it works at, or a few seconds."""
        self._closing = True
        with self._sending, contextlib.suppress(OSError):
            self._connection.send(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE_SECONDS)
        self._process.stop()
        if self._thread is not threading.current_thread():
            self._thread.join()
        self._connection.close()
        self._end()

    def _receive(self) -> None:
        try:
            while True:
                message: Done | Loaded | Failed = self._connection.recv()
                if isinstance(message, Loaded):
                    self._loaded = True
                    continue
                self._deliver(message)
                if isinstance(message, Failed):
                    return
        except (EOFError, OSError):
            if not self._closing:
                self._deliver(Failed(self._death(), self._loaded))

    def _death(self) -> str:
        how = ended(self._process.wait()) + ("" if self._loaded else " while it loaded the model")
        tail = self._process.tail(12)
        return f"the engine {how}" + ("".join(f"\n    {line}" for line in tail.splitlines()) if tail else "")

    def _end(self) -> None:
        self._process.stop()
        self._held.close()


def ended(code: int) -> str:
    """How a process ended, by its status, which is negative for a signal."""
    if code >= 0:
        return f"ended with status {code}"
    if -code == signal.SIGKILL:
        return "was killed by SIGKILL (which is what Linux does if memory runs out)"
    return f"was killed by {signal.Signals(-code).name}"


def _start(address: str, key: bytes, log: Path, gpus: Sequence[str] | None) -> Supervised:
    environment = {**os.environ, KEY_VARIABLE: key.hex()}
    # The package is found where it was found here, whatever the folder is that the run was started in.
    root = str(Path(__file__).parents[3])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    environment.setdefault("TOKENIZERS_PARALLELISM", "false")
    environment.setdefault("MKL_SERVICE_FORCE_INTEL", "1")  # else MKL refuses to start beside GNU's OpenMP
    if gpus is not None:
        environment[device_variable()] = ",".join(gpus)
    try:
        return start([sys.executable, "-P", "-m", "tasks.models.engines.process", address], env=environment, log=log)
    except OSError as error:
        raise EngineError(f"the engine cannot be started: {error}") from None


def _connect(address: str, key: bytes, process: Supervised) -> "Connection[Any, Any]":
    while True:
        try:
            return Client(address, "AF_UNIX", authkey=key)
        except (FileNotFoundError, ConnectionRefusedError):
            if process.poll() is not None:
                message = f"the engine ended with status {process.returncode} at its start\n{process.tail()}"
                raise EngineError(message) from None
            time.sleep(_POLL_SECONDS)
