"""Events that wait for a slow world: few at a time, and failures in a row as one."""

import threading
import time

from blocks.notifications.events import GROUPED, Event

_MOST = 100


class Outbox:
    """A bounded queue that never blocks who puts something in."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._events: list[tuple[float, Event]] = []
        self._closed = False
        self.lost = 0
        """Events that found it full."""

    def __len__(self) -> int:
        return len(self._events)

    def put(self, event: Event) -> None:
        """Adds the event, or joins it to the last one if both are of a kind that comes in numbers."""
        with self._changed:
            if self._events and event.kind in GROUPED and self._events[-1][1].kind is event.kind:
                since, last = self._events[-1]
                self._events[-1] = (since, last.joined(event))
            elif len(self._events) < _MOST:
                self._events.append((time.monotonic(), event))
            else:
                self.lost += 1
            self._changed.notify_all()

    def take(self, hold: float) -> Event | None:
        """The next event, waiting for it; one of a kind that comes in numbers waits `hold` seconds for others.

        It waits no longer once another kind stands behind it or the box is closed. None: closed and empty.
        """
        with self._changed:
            while not self._ready(hold):
                self._changed.wait(self._patience(hold))
            return self._events.pop(0)[1] if self._events else None

    def close(self) -> None:
        """Nothing more will come."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _ready(self, hold: float) -> bool:
        if self._closed or not self._events:
            return self._closed
        since, event = self._events[0]
        return event.kind not in GROUPED or len(self._events) > 1 or time.monotonic() - since >= hold

    def _patience(self, hold: float) -> float | None:
        return max(0.0, self._events[0][0] + hold - time.monotonic()) if self._events else None
