"""Sends what is logged while a shard runs, or a pair is scored, to a file of its own.

All API shards of a process share one event loop, so the file is chosen by a context variable: each
shard's coroutine, and every task it starts, logs to its own.
"""

import logging
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from tasks.spec.storage.printable import unsteering

_current: ContextVar[logging.Handler | None] = ContextVar("work_log", default=None)


class WorkFormat(logging.Formatter):
    """Lines that do not steer a terminal; further lines of a record are indented, so that none looks like a record."""

    def __init__(self, task: str = "") -> None:
        """`task` is named in every line, for files that several tasks share."""
        named = f" {task}".replace("%", "%%") if task else ""
        super().__init__(f"%(asctime)s %(levelname)s{named} %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return unsteering(super().format(record)).replace("\n", "\n    ")


class WorkLogRouter(logging.Handler):
    """Installed once on our loggers; hands each record to the file of the work it comes from."""

    def emit(self, record: logging.LogRecord) -> None:
        handler = _current.get()
        if handler is not None:
            handler.handle(record)


def is_kept() -> bool:
    """Whether what is logged now goes to the file of the work it comes from."""
    return _current.get() is not None


class _LogFile(logging.FileHandler):
    """A log that cannot be written, on a full disk for example, neither ends the work nor fills the terminal."""

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 the name that logging calls
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


@contextmanager
def work_log(path: Path, pointers: tuple[Path, ...] = (), task: str = "") -> Generator[None]:
    """Logs of this context go to `path`; `pointers`, files of further datasets, get a line that says so.

    A job of a cluster whose whole output goes to `path` logs to standard error alone.
    """
    with suppress(OSError):  # as for the log itself
        path.parent.mkdir(parents=True, exist_ok=True)
        for pointer in pointers:
            pointer.parent.mkdir(parents=True, exist_ok=True)
            pointer.write_text(f"see {path.name}: this dataset ran in the same task\n", encoding="utf-8")
    handler = logging.NullHandler() if _is_standard_error(path) else _log_file(path, task)
    token = _current.set(handler)
    try:
        yield
    finally:
        _current.reset(token)
        handler.close()


def _log_file(path: Path, task: str) -> logging.Handler:
    handler = _LogFile(path, encoding="utf-8", errors="backslashreplace", delay=True)
    handler.setFormatter(WorkFormat(task))
    return handler


def _is_standard_error(path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(sys.stderr.fileno()), path.stat())
    except (OSError, ValueError, AttributeError):  # no such file; no standard error, or one that is not a file
        return False
