"""The Prefect API of a run: the one that is configured, or a local server of our own, started, found and stopped here.

Nothing here imports Prefect, so a run plans while the server starts.

    address = find_api(os.environ)
    if address is None:
        with start_own_server() as server:
            address = server.wait()
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from flows.file_locks import locked, try_lock, wait_lock
from flows.prefect_settings import ApiAddress, configured_api
from flows.server_check import check_api, is_up
from flows.server_log import append_log
from flows.server_settings import keeper_environment, run_settings
from flows.server_state import (
    IDLE_LIMIT_S,
    Phase,
    Record,
    ServerFiles,
    address_of,
    create_files,
    keeper_lives,
    password,
    read_record,
    server_files,
)
from tasks.spec.findings import Finding, Place, UserError

__all__ = ["ApiAddress", "ServerHandle", "check_api", "ensure_server", "find_api", "hold_run_lock", "start_own_server", "stop_own_server", "use"]

_log = logging.getLogger(__name__)


def find_api(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> ApiAddress | None:
    """The API that the user configured, unchecked (see `check_api`); None if there is none, or if it is our own local server.

    UserError if the settings cannot be read.
    """
    environ = os.environ if environ is None else environ
    address = configured_api(environ, folder or Path.cwd())
    if address is None:
        return None
    record = read_record(server_files(environ))
    # Exports of `compass server env` lead here; the run must hold our server, and start it if it has ended.
    if record and address.url == f"http://127.0.0.1:{record.port}/api":
        return None
    return address


class ServerHandle:
    """Our own server as one run uses it: it does not end by idling until the handle is closed, or the process ends."""

    def __init__(self, files: ServerFiles, idle_limit: float, *, permanent: bool = False) -> None:
        self._files = files
        self._locks = ExitStack()
        self.problem = ""
        """Why `wait` returned None."""
        self._starter = threading.Thread(target=self._start, args=(idle_limit, permanent), name="server-start", daemon=True)
        self._starter.start()

    def _start(self, idle_limit: float, permanent: bool) -> None:
        try:
            create_files(self._files)
            self._locks.enter_context(hold_run_lock(self._files))
            message = starting_message(self._files)
            if ensure_server(self._files, idle_limit, permanent=permanent):
                _log.info(message)
        except OSError as error:
            self.problem = f"the local Prefect server could not be started: {error}"

    def wait(self, timeout: float = 300) -> ApiAddress | None:
        """The address once the server answers; None, with `problem` set, if it fails or is not up in `timeout` seconds."""
        deadline = time.monotonic() + timeout
        self._starter.join(timeout)
        while not self.problem:
            started = not self._starter.is_alive()
            if started and not keeper_lives(self._files):
                self.problem = _why_it_ended(self._files)
            elif started and (address := own_address(self._files)) and is_up(address):
                return address
            elif time.monotonic() > deadline:
                self.problem = f"the local Prefect server was not up after {timeout:.0f} s; its log is {self._files.log}"
            else:
                time.sleep(0.2)
        return None

    def close(self) -> None:
        """The run no longer uses the server; it stays up for the next one until it has idled long enough."""
        self._starter.join()
        self._locks.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def start_own_server(environ: Mapping[str, str] | None = None, *, permanent: bool = False) -> ServerHandle:
    """Finds or starts the local server in the background and returns at once; a permanent one never ends by idling.

    `COMPASS_SERVER_IDLE_SECONDS` changes after how many idle seconds a newly started server ends (1800).
    """
    environ = os.environ if environ is None else environ
    return ServerHandle(server_files(environ), idle_limit(environ), permanent=permanent)


@contextmanager
def hold_run_lock(files: ServerFiles) -> Iterator[None]:
    """Keeps the server from ending by idling while the block runs, at most as long as this process lives."""
    with locked(files.runs_lock, shared=True):
        yield


def use(address: ApiAddress, environ: MutableMapping[str, str] = os.environ) -> ExitStack:
    """Makes this process report to that API, best before Prefect is imported; closing what it returns undoes it."""
    undo = ExitStack()
    changes = run_settings(address, server_files(environ), environ)
    undo.callback(_set, environ, {name: environ.get(name) for name in changes})
    _set(environ, changes)
    return undo


def _set(environ: MutableMapping[str, str], changes: Mapping[str, str | None]) -> None:
    for name, value in changes.items():
        if value is None:
            environ.pop(name, None)
        else:
            environ[name] = value
    if "prefect" in sys.modules:
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()


def _why_it_ended(files: ServerFiles) -> str:
    record = read_record(files)
    return f"the local Prefect server is gone: {(record and record.problem) or f'its log is {files.log}'}"


def own_address(files: ServerFiles) -> ApiAddress | None:
    """Where our server is if its keeper says that it is up; it may have died since."""
    record = read_record(files)
    return address_of(files, record.port) if record and record.phase is Phase.UP else None


def ensure_server(files: ServerFiles, idle_limit: float, *, permanent: bool = False) -> bool:
    """Sees to it that one keeper with one server runs; True if this call started it. Does not wait until it is up.

    `permanent` makes a running one permanent too. OSError if the state folder cannot be used.
    """
    create_files(files)
    with locked(files.start_lock):
        keeper_lock = wait_lock(files.keeper_lock, 15) if _is_ending(files) else try_lock(files.keeper_lock)
        if keeper_lock is None and not _answers(files):
            append_log(files, "the server does not answer and is replaced")
            _stop(files)
            keeper_lock = wait_lock(files.keeper_lock, 1)
        if permanent:
            files.permanent.touch()
        if keeper_lock is None:
            return False
        if not permanent:
            files.permanent.unlink(missing_ok=True)
        with ExitStack() as descriptors:
            descriptors.callback(os.close, keeper_lock)
            descriptors.callback(os.close, server_lock := _free_server_lock(files))
            _spawn_keeper(files, idle_limit, keeper_lock, server_lock)
    return True


def _is_ending(files: ServerFiles) -> bool:
    record = read_record(files)
    return record is not None and record.phase in (Phase.STOPPING, Phase.FAILED)


def _answers(files: ServerFiles) -> bool:
    """Whether the server of a living keeper answers, or has not yet said that it would."""
    address = own_address(files)
    return address is None or is_up(address) or is_up(address, timeout=30)


def _spawn_keeper(files: ServerFiles, idle_limit: float, keeper_lock: int, server_lock: int) -> None:
    old = read_record(files)
    # Whoever finds the lock held must not take the last keeper's record for this one's.
    files.record.unlink(missing_ok=True)
    password(files)
    arguments = [str(files.root), str(idle_limit), str(old.port if old else 0), str(keeper_lock), str(server_lock)]
    with files.log.open("ab") as log:
        subprocess.Popen(
            [sys.executable, "-P", "-m", "flows.server_keeper", *arguments],
            env=keeper_environment(os.environ),
            cwd=files.root,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=(keeper_lock, server_lock),
        )


def stop_own_server(files: ServerFiles) -> bool:
    """Stops server and keeper and waits until they are gone; False if none ran."""
    if not files.start_lock.exists():
        return False
    with locked(files.start_lock):
        ran = _stop(files)
        files.permanent.unlink(missing_ok=True)
    return ran


def _stop(files: ServerFiles) -> bool:
    keeper_lock = try_lock(files.keeper_lock)
    ran = keeper_lock is None
    if keeper_lock is None and (record := _awaited_record(files)):
        _signal(record.keeper, signal.SIGTERM)
        keeper_lock = wait_lock(files.keeper_lock, 30)
        if keeper_lock is None:
            _signal(record.keeper, signal.SIGKILL)
            keeper_lock = wait_lock(files.keeper_lock, 5)
    os.close(_free_server_lock(files))
    if keeper_lock is not None:
        os.close(keeper_lock)
    return ran


def _free_server_lock(files: ServerFiles) -> int:
    """The server's lock, held; a server without a keeper ends by itself within seconds, or is killed."""
    record = read_record(files)
    server_lock = wait_lock(files.server_lock, 20)
    if server_lock is None and record:
        _signal(record.server, signal.SIGKILL)
        server_lock = wait_lock(files.server_lock, 5)
    if server_lock is None:
        raise TimeoutError(f"a server that has lost its keeper does not end (process {record.server if record else '?'})")
    return server_lock


def _awaited_record(files: ServerFiles) -> Record | None:
    """The record of a living keeper, which writes it first thing."""
    deadline = time.monotonic() + 15
    while (record := read_record(files)) is None and time.monotonic() < deadline:
        time.sleep(0.1)
    return record


def _signal(process: int, number: signal.Signals) -> None:
    if process > 0:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def starting_message(files: ServerFiles) -> str:
    """What a user reads while a server starts."""
    if (files.home / "prefect.db").exists():
        return "starting the local Prefect server"
    return "starting the local Prefect server; the first time it sets up its database, which takes up to a minute or two"


def idle_limit(environ: Mapping[str, str]) -> float:
    """Seconds after which an unused server ends; UserError if the variable is no positive number."""
    text = environ.get("COMPASS_SERVER_IDLE_SECONDS")
    try:
        seconds = float(text) if text else IDLE_LIMIT_S
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        place = Place("environment", key="COMPASS_SERVER_IDLE_SECONDS")
        raise UserError(Finding(f"{text!r} is not a number of seconds above 0", place, "leave it out for 1800"))
    return seconds
