"""Keeps a bounded number of pieces of work submitted, and hands their outcomes over one by one.

Nothing waits inside a pool, so nothing is queued there when the user presses Ctrl-C.
"""

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, TypeVar

from flows.run.engine_errors import PAUSES, EngineLost

Item = TypeVar("Item")
Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)
Item_contra = TypeVar("Item_contra", contravariant=True)
_POLL_SECONDS = 0.2


class Future(Protocol[Result_co]):
    """What both `concurrent.futures` and Prefect give for submitted work."""

    def add_done_callback(self, fn: Callable[[Any], None], /) -> None: ...

    def result(self, timeout: float | None = None) -> Result_co: ...


class Submit(Protocol[Item_contra, Result_co]):
    """Starts one piece of work somewhere."""

    def __call__(self, item: Item_contra, /) -> Future[Result_co]: ...


class Window(Generic[Item, Result]):
    """Submits items as slots get free: `limit` at once, none after `stop` or `lost` is set."""

    def __init__(self, limit: int, stop: threading.Event, lost: threading.Event) -> None:
        self._limit = limit
        self._stop = stop
        self._lost = lost
        self._waiting: deque[Item] = deque()
        self._events: queue.SimpleQueue[Callable[[], bool]] = queue.SimpleQueue()
        """What to do on the thread of `run`; True for a piece of work that has ended."""
        self._ended = False
        self._tries: dict[int, list[Item]] = {}
        """By `id`, which nothing else gets as long as the item is held here."""
        self._postponed = 0
        """Pieces of work that wait to be submitted again."""

    def add(self, items: Iterable[Item]) -> None:
        """More work; from any thread, until `end`."""
        self._waiting.extend(items)
        self._wake()

    def end(self) -> None:
        """No more work will be added."""
        self._ended = True
        self._wake()

    def call(self, function: Callable[[], None]) -> None:
        """Calls the function on the thread of `run`, before it returns if work is still running; from any thread."""

        def event() -> bool:
            function()
            return False

        self._events.put(event)

    def again(self, item: Item) -> bool:
        """Submits a piece of work that was not executed again, later; False if that was done too often.

        Only within `received`.
        """
        tries = self._tries.setdefault(id(item), [])
        if len(tries) == len(PAUSES):
            return False
        pause = PAUSES[len(tries)]
        tries.append(item)
        self._postponed += 1

        def event() -> bool:
            self._postponed -= 1
            self._waiting.append(item)
            return False

        timer = threading.Timer(pause, self._events.put, [event])
        timer.daemon = True
        timer.start()
        return True

    def run(
        self,
        submit: Submit[Item, Result],
        received: Callable[[Item, Future[Result]], None],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> None:
        """Returns when all work is done, or when `stop` is set and what was running has ended.

        `meanwhile` is called several times a second while nothing happens. EngineLost once `lost` is set.
        """
        running = 0
        while True:
            while self._waiting and running < self._limit and not self._stop.is_set():
                self._start(submit, self._waiting.popleft(), received)
                running += 1
            if not running and (self._stop.is_set() or (self._ended and not self._waiting and not self._postponed)):
                return
            try:
                event = self._events.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                meanwhile()
                event = _nothing
            if self._lost.is_set():
                raise EngineLost
            running -= event()

    def _start(
        self, submit: Submit[Item, Result], item: Item, received: Callable[[Item, Future[Result]], None]
    ) -> None:
        future = submit(item)

        def event() -> bool:
            received(item, future)
            return True

        future.add_done_callback(lambda _: self._events.put(event))

    def _wake(self) -> None:
        self._events.put(_nothing)


def _nothing() -> bool:
    return False
