"""The Prefect API of a run: the one that is configured, or a local server of our own.

Nothing here imports Prefect, so a run plans while the server starts.

    address = find_api(os.environ)
    if address is None:
        with start_own_server() as server:
            address = server.wait()
"""

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from flows.local_server.health import check_api, is_up
from flows.local_server.prefect_settings import ApiAddress, configured_api
from flows.local_server.settings import run_settings
from flows.local_server.settings_file import set_settings
from flows.local_server.start import ensure_server, own_address
from flows.local_server.state import (
    IDLE_LIMIT_S,
    Phase,
    ServerFiles,
    address_of,
    create_files,
    keeper_lives,
    read_record,
    server_files,
)
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.file_locks import locked

__all__ = [
    "ApiAddress",
    "ServerHandle",
    "check_api",
    "find_api",
    "give_settings",
    "hold_run_lock",
    "start_own_server",
    "try_no_more",
    "use",
]

_log = logging.getLogger(__name__)


def find_api(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> ApiAddress | None:
    """The API that the user configured, unchecked (see `check_api`); None if there is none, or if it is our own server.

    UserError if the settings cannot be read.
    """
    environ = os.environ if environ is None else environ
    address = configured_api(environ, folder or Path.cwd())
    if address is None:
        return None
    files = server_files(environ)
    record = read_record(files)
    # Exports of `compass server env` lead here; the run must hold our server, and start it if it has ended.
    if record and address.url == address_of(files, record.port).url:
        return None
    return address


class ServerHandle:
    """Our own server as one run uses it: it does not end by idling until the handle is closed or the process ends."""

    def __init__(self, files: ServerFiles, idle_limit: float, *, permanent: bool = False) -> None:
        self._files = files
        self._idle_limit = idle_limit
        self._permanent = permanent
        self._starts_left = 1
        self._locks = ExitStack()
        self.problem = ""
        """Why `wait` returned None."""
        self._starter = threading.Thread(target=self._start, name="server-start", daemon=True)
        self._starter.start()

    def _start(self) -> None:
        try:
            create_files(self._files)
            self._locks.enter_context(hold_run_lock(self._files))
            message = starting_message(self._files)
            if ensure_server(self._files, self._idle_limit, permanent=self._permanent):
                _log.info(message)
        except OSError as error:
            where = f"{error.filename}: {error.strerror}; $COMPASS_STATE_DIR names another folder for its files"
            self.problem = f"the local Prefect server could not be started: {where if error.filename else error}"

    def wait(self, timeout: float = 300, stop: threading.Event | None = None) -> ApiAddress | None:
        """The address once the server answers; None, with `problem` set, if it fails or is not up in `timeout` seconds.

        Setting `stop` ends the wait early.
        """
        stop = stop or threading.Event()
        deadline = time.monotonic() + timeout
        self._starter.join(min(timeout, 0.5))
        while not self.problem:
            started = not self._starter.is_alive()
            if started and not keeper_lives(self._files):
                self._start_again()
            elif started and (address := own_address(self._files)) and is_up(address):
                return address
            elif stop.is_set():
                self.problem = "the run was interrupted while the local Prefect server started"
            elif time.monotonic() > deadline:
                self.problem = (
                    f"the local Prefect server was not up after {timeout:.0f} s; its log is {self._files.log}"
                )
            else:
                stop.wait(0.1)
        return None

    def _start_again(self) -> None:
        """A keeper that was dying while it was found is replaced, once; one that failed says why."""
        record = read_record(self._files)
        if self._starts_left == 0 or (record is not None and record.phase is Phase.FAILED):
            self.problem = self.problem or _why_it_ended(self._files)
            return
        self._starts_left -= 1
        ensure_server(self._files, self._idle_limit, permanent=self._permanent)

    def close(self) -> None:
        """The run no longer uses the server; it stays up for the next one until it has idled long enough."""
        # An interrupted run does not wait for a start that hangs; it then holds the server until it ends itself.
        self._starter.join(1)
        self._locks.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def start_own_server(environ: Mapping[str, str] | None = None, *, permanent: bool = False) -> ServerHandle:
    """Finds or starts the local server in the background and returns at once.

    `permanent` makes it one that never ends by itself. `COMPASS_SERVER_IDLE_SECONDS` changes after how
    many idle seconds a newly started server ends (1800).
    """
    environ = os.environ if environ is None else environ
    return ServerHandle(server_files(environ), idle_limit(environ), permanent=permanent)


def give_settings(path: Path, environ: Mapping[str, str] | None = None) -> None:
    """Has the local server started with the settings in a file; UserError if it runs already, or they cannot work."""
    files = server_files(os.environ if environ is None else environ)
    create_files(files)
    given = files.settings.readlink() if files.settings.is_symlink() else None
    if keeper_lives(files) and given != path.expanduser().absolute():
        raise UserError(
            Finding("the local Prefect server runs with other settings", remedy="first: compass server down")
        )
    set_settings(files.settings, path)


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


def try_no_more() -> None:
    """Prefect's client in this process makes every call once from now on: nobody is there to answer."""
    from prefect.settings import get_current_settings

    get_current_settings().client.max_retries = 0


def _why_it_ended(files: ServerFiles) -> str:
    record = read_record(files)
    return f"the local Prefect server is gone: {(record and record.problem) or f'its log is {files.log}'}"


def starting_message(files: ServerFiles) -> str:
    """What a user reads while a server starts."""
    if (files.home / "prefect.db").exists():
        return "starting the local Prefect server"
    return (
        "starting the local Prefect server; the first time it sets up its database, which takes up to a minute or two"
    )


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
