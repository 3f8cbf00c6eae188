"""Spreads work that burns CPU over all cores, in processes that can be ended at any time.

The processes are children of their own (`python -P -m tasks.score.child`) under the supervisor: they end with this
process, get no Ctrl-C of the terminal, and import nothing of what this process was started as.
"""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from tasks.spec.names.type_loading import import_type
from tasks.spec.storage.temporary_folder import held_folder
from tasks.supervisor import Supervised, start

_WORTH_IT_SECONDS = 1.0
"""Work that is done before that, in this process, needs no others."""
_CONNECT_SECONDS = 120.0
_IMPORT_SECONDS = 30.0
_WAITING = 20
"""Elapsed time that a chunk may take, as a multiple of its processor time."""
_LOOK_AHEAD = 16
"""Chunks per child that may be ahead of the slowest one."""
_MEMORY = 4 << 30
"""Bytes of address space of a child that works under a limit of time."""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_FREE_CORES = threading.BoundedSemaphore(_cores())
"""Shared by all threads of this process that spread their work."""


def in_chunks(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """The items in lists of `size`, the last one shorter."""
    items = iter(items)
    while chunk := list(islice(items, size)):
        yield chunk


class Lost(Enum):
    """Stands for the result of a chunk that has none."""

    TOOK_TOO_LONG = "took too long"
    DIED = "ended its process"


class ChildFailed(Exception):
    """A chunk raised, or its process ended, where that is not to be expected."""


def spread(function: str, chunks: Iterable[Any]) -> Iterator[Any]:
    """`function(chunk)` for each chunk, in order; in other processes as soon as that is worth it.

    `function` is the dotted path of a function; chunks and results are picklable. ChildFailed names what went wrong.
    """
    local = import_type(function)
    chunks, begin = iter(chunks), time.perf_counter()
    for chunk in chunks:
        yield local(chunk)
        if time.perf_counter() - begin > _WORTH_IT_SECONDS:
            break
    else:
        return
    if _cores() == 1:
        yield from map(local, chunks)
        return
    for result in _in_children(function, chunks, None):
        if isinstance(result, Lost):
            raise ChildFailed(f"{function} {result.value}")
        yield result


def spread_limited(function: str, chunks: Iterable[Any], seconds: float) -> Iterator[Any]:
    """As `spread`, but never in this process: what takes more than `seconds`, or ends its process, is `Lost`.

    They are seconds of processor time, so that a busy machine changes nothing; what only waits has twenty times as
    many. The first chunk of each process has half a minute more, to import what it needs.
    """
    yield from _in_children(function, chunks, seconds)


@dataclass
class _Child:
    process: Supervised
    connection: Connection
    number: int = -1
    """Of the chunk it works on; -1 if it is idle."""
    deadline: float = float("inf")
    is_fresh: bool = True


def _in_children(function: str, chunks: Iterable[Any], seconds: float | None) -> Iterator[Any]:
    with _taken_cores() as count, held_folder("scoring") as folder:
        pool = _Pool(folder, function, count, seconds)
        try:
            yield from pool.results(iter(chunks))
        finally:
            pool.stop()


@contextmanager
def _taken_cores() -> Generator[int]:
    """How many cores are free, at least one, taken until the end."""
    _FREE_CORES.acquire()
    taken = 1
    while _FREE_CORES.acquire(blocking=False):
        taken += 1
    try:
        yield taken
    finally:
        _FREE_CORES.release(taken)


class _Pool:
    """Children that work on one chunk at a time each."""

    def __init__(self, folder: Path, function: str, size: int, seconds: float | None) -> None:
        self._folder, self._function, self._size, self._seconds = folder, function, size, seconds
        self._children: list[_Child] = []
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / "s"))
        self._socket.listen()
        self._socket.settimeout(0.2)

    def results(self, chunks: Iterator[Any]) -> Iterator[Any]:
        """The results in the order of the chunks."""
        done: dict[int, Any] = {}
        given = wanted = 0
        ended = False
        while True:
            while not ended and given - wanted < _LOOK_AHEAD * self._size:
                child = self._idle()
                if child is None:
                    break
                chunk = next(chunks, _END)
                if chunk is _END:
                    ended = True
                    break
                self._give(child, given, chunk)
                given += 1
            if wanted == given:
                return
            done |= self._collect()
            while wanted in done:
                yield done.pop(wanted)
                wanted += 1

    def stop(self) -> None:
        """Ends all children at once."""
        self._socket.close()
        for child in self._children:
            child.connection.close()
        for child in self._children:
            child.process.stop(grace=0)

    def _idle(self) -> _Child | None:
        idle = next((child for child in self._children if child.number < 0), None)
        return idle or (self._started() if len(self._children) < self._size else None)

    def _started(self) -> _Child:
        log = self._folder / "log"
        seconds = self._seconds
        limits = [] if seconds is None else [str(_MEMORY), str(seconds), str(seconds + _IMPORT_SECONDS)]
        command = [sys.executable, "-P", "-m", "tasks.score.child", str(self._folder / "s"), *limits]
        process = start(command, env=_environment(), log=log)
        give_up = time.monotonic() + _CONNECT_SECONDS
        while process.poll() is None and time.monotonic() < give_up:
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            connection.setblocking(True)
            child = _Child(process, Connection(connection.detach()))
            self._children.append(child)
            return child
        process.stop(grace=0)
        raise ChildFailed(f"a process for scoring did not start: {process.tail(3)}")

    def _give(self, child: _Child, number: int, chunk: Any) -> None:
        child.number = number
        extra = _IMPORT_SECONDS if child.is_fresh else 0.0
        if self._seconds is not None:
            child.deadline = time.monotonic() + _WAITING * (self._seconds + extra)
        child.is_fresh = False
        child.connection.send((self._function, chunk))

    def _collect(self) -> dict[int, Any]:
        """Results that have come in; waits for one, or for the next deadline."""
        busy = [child for child in self._children if child.number >= 0]
        left = min(child.deadline for child in busy) - time.monotonic()
        ready = wait([child.connection for child in busy], None if left == float("inf") else max(0.0, left))
        results: dict[int, Any] = {}
        for child in busy:
            if child.connection in ready:
                results[child.number] = self._received(child)
            elif child.deadline < time.monotonic():
                results[child.number] = self._lost(child, Lost.TOOK_TOO_LONG)
            else:
                continue
            child.number = -1
        return results

    def _received(self, child: _Child) -> Any:
        try:
            is_error, result = child.connection.recv()
        except (EOFError, ConnectionError):
            ended_by = -child.process.wait(_CONNECT_SECONDS)
            return self._lost(child, Lost.TOOK_TOO_LONG if ended_by == signal.SIGPROF else Lost.DIED)
        if is_error:
            raise ChildFailed(result)
        return result

    def _lost(self, child: _Child, reason: Lost) -> Lost:
        child.connection.close()
        child.process.stop(grace=0)
        self._children.remove(child)
        return reason


def _environment() -> dict[str, str]:
    """That of this process, in which the children find the same packages, and no library starts threads."""
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


_END = object()
