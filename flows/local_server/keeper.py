"""The process above the local Prefect server: starts it, tells how it is, and ends it when it has idled long enough.

`flows.prefect_api.server` starts it, detached, with its two locks already held, as
`python -P -m flows.local_server.keeper FOLDER IDLE_SECONDS PORT KEEPER_LOCK SERVER_LOCK`; the locks are descriptors.
It imports no Prefect, so it stays small.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from flows.local_server.automation import ensure_automation
from flows.local_server.health import is_up
from flows.local_server.log import append_log, log_tail, shorten_log
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.settings import server_settings
from flows.local_server.settings_file import fixed_port, given_settings
from flows.local_server.state import (
    Phase,
    Record,
    ServerFiles,
    address_of,
    password,
    write_record,
)
from tasks.spec.storage.file_locks import try_lock

_UP_WITHIN_S = 600.0
_STOP_WITHIN_S = 10.0
_LONGEST_TICK_S = 5.0
_PORTS_TRIED = 3
_LOOPBACK = "127.0.0.1"


class Keeper:
    """One server from its start to its end."""

    def __init__(self, files: ServerFiles, idle_limit: float, port: int, keeper_lock: int, server_lock: int) -> None:
        self._files = files
        self._keeper_lock = keeper_lock
        self._server_lock = server_lock
        self._asked_to_end = threading.Event()
        self._pipe, self._alive = os.pipe()
        self._record = Record(os.getpid(), 0, port, Phase.STARTING, idle_limit)
        self._idle_from: float | None = None

    def end(self) -> None:
        """Asks the keeper to stop its server and to return."""
        self._asked_to_end.set()

    def run(self) -> int:
        """Exit status: 0 if the server was ended, 1 if it failed."""
        with ExitStack() as waiting:
            try:
                return self._keep(waiting)
            finally:
                # Before the locks that hold new runs off: the next starter must find these two free.
                os.close(self._server_lock)
                os.close(self._keeper_lock)

    def _keep(self, waiting: ExitStack) -> int:
        server = self._start()
        if server is None:
            return 1
        self._tell(replace(self._record, phase=Phase.UP))
        try:
            ensure_automation(self._address())
        except OSError as error:
            append_log(self._files, str(error))
        while server.poll() is None and not self._may_end(waiting):
            self._asked_to_end.wait(min(_LONGEST_TICK_S, self._record.idle_limit / 4))
            shorten_log(self._files)
        if server.poll() is not None:
            return self._failed(f"the server ended with status {server.returncode}")
        self._stop(server)
        return 0

    def _start(self) -> subprocess.Popen[bytes] | None:
        for _ in range(_PORTS_TRIED):
            port = fixed_port(given_settings(self._files.settings))
            if port and not is_free(port):
                self._failed(f"port {port} is in use")
                return None
            self._tell(replace(self._record, port=port or free_port(self._record.port)))
            server = self._spawn()
            self._tell(replace(self._record, server=server.pid))
            deadline = time.monotonic() + _UP_WITHIN_S
            while server.poll() is None and not is_up(self._address()):
                if self._asked_to_end.wait(0.2) or time.monotonic() > deadline:
                    self._stop(server)
                    self._failed("the server was stopped before it was up")
                    return None
            if server.poll() is None:
                return server
            if is_free(self._record.port):
                break
        self._failed("the server did not start")
        return None

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "flows.local_server.server_process", str(self._pipe)]
        settings = server_settings(self._files, self._record.port, password(self._files))
        settings |= given_settings(self._files.settings)
        append_log(self._files, f"starting a server on port {self._record.port}")
        # Standard streams are the log already: the keeper was started so.
        return subprocess.Popen(command, env=dict(os.environ) | settings, pass_fds=(self._pipe, self._server_lock))

    def _address(self) -> ApiAddress:
        return address_of(self._files, self._record.port)

    def _may_end(self, waiting: ExitStack) -> bool:
        """Whether to end now; what `waiting` then holds keeps new runs waiting until the server is gone."""
        if self._asked_to_end.is_set():
            return True
        with ExitStack() as held:
            if not _hold(held, self._files.runs_lock):
                self._idle(None)
                return False
            self._idle(self._idle_from or time.monotonic())
            if not self._idled_out() or not _hold(held, self._files.start_lock) or self._files.permanent.exists():
                return False
            waiting.push(held.pop_all())
        return True

    def _idled_out(self) -> bool:
        return self._idle_from is not None and time.monotonic() - self._idle_from >= self._record.idle_limit

    def _idle(self, since: float | None) -> None:
        if since != self._idle_from:
            self._idle_from = since
            self._tell(replace(self._record, idle_since=None if since is None else time.time()))

    def _stop(self, server: subprocess.Popen[bytes]) -> None:
        self._tell(replace(self._record, phase=Phase.STOPPING))
        append_log(self._files, "stopping the server")
        server.terminate()
        try:
            server.wait(_STOP_WITHIN_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()

    def _failed(self, problem: str) -> int:
        told = f"{problem}; {self._files.log} ends with:\n{log_tail(self._files)}"
        self._tell(replace(self._record, phase=Phase.FAILED, problem=told))
        append_log(self._files, problem)
        return 1

    def _tell(self, record: Record) -> None:
        self._record = record
        write_record(self._files, record)


def _hold(held: ExitStack, path: Path) -> bool:
    descriptor = try_lock(path)
    if descriptor is not None:
        held.callback(os.close, descriptor)
    return descriptor is not None


def is_free(port: int) -> bool:
    """Whether a server could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_LOOPBACK, port))
        except OSError:
            return False
    return True


def free_port(preferred: int) -> int:
    """The preferred port if it is free, else one that the system chooses; 0 prefers none."""
    if preferred and is_free(preferred):
        return preferred
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        return int(probe.getsockname()[1])


def main() -> int:
    """Keeps the server until it has idled long enough or is told to stop; returns the exit status."""
    folder, idle_limit, port, keeper_lock, server_lock = sys.argv[1:]
    os.umask(0o077)
    keeper = Keeper(ServerFiles(Path(folder)), float(idle_limit), int(port), int(keeper_lock), int(server_lock))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: keeper.end())
    return keeper.run()


if __name__ == "__main__":
    sys.exit(main())
