"""Starting, finding and stopping the local Prefect server and its keeper: one of each, whoever calls at once."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, suppress

from flows.local_server.health import is_up
from flows.local_server.log import append_log
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.settings import keeper_environment
from flows.local_server.state import Phase, Record, ServerFiles, address_of, create_files, password, read_record
from tasks.spec.storage.file_locks import locked, try_lock, wait_lock


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
            permanent = permanent or files.permanent.exists()
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
            [sys.executable, "-P", "-m", "flows.local_server.keeper", *arguments],
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
        files.settings.unlink(missing_ok=True)
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
        process = f"process {record.server}" if record else "its process is unknown"
        raise TimeoutError(f"a server that has lost its keeper does not end ({process})")
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
