"""Locks on files (flock) that die with the process that holds them."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path, *, shared: bool = False) -> Generator[None]:
    """Waits for the lock and holds it for the block; the lock dies with the process."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def try_lock(path: Path, *, shared: bool = False) -> int | None:
    """A descriptor that holds the lock until it is closed everywhere it was inherited; None if others hold it."""
    descriptor = _open(path)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def wait_lock(path: Path, timeout: float) -> int | None:
    """Like `try_lock`, tried for `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while (descriptor := try_lock(path)) is None and time.monotonic() < deadline:
        time.sleep(0.1)
    return descriptor


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
