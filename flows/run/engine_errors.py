"""What fails because of the engine that executes the work, not because of the work; and how often it is tried again."""

import time
from collections.abc import Callable
from threading import Event

PAUSES = (5.0, 10.0, 20.0, 40.0, *[60.0] * 28)
"""Seconds until work that was not executed is tried again: for half an hour, as workers wait for a server."""
_POLL_SECONDS = 0.2


class NotExecuted(Exception):
    """The engine could not execute a piece of work; it may be able to later."""


class EngineLost(Exception):
    """Nobody executes what is submitted."""


def is_of_engine(error: Exception) -> bool:
    """Whether Prefect's client raised it: the server was not there for a moment, or could not serve a call."""
    return any(base.__module__.startswith(("httpx", "prefect.concurrency")) for base in type(error).__mro__)


def retry_engine_errors(call: Callable[[], None], *ends: Event) -> None:
    """Calls it, again where the engine cannot serve it for a while; not once one of `ends` is set."""
    for pause in PAUSES:
        try:
            return call()
        except Exception as error:
            if not is_of_engine(error) or _is_set_within(pause, ends):
                raise
    return call()


def _is_set_within(seconds: float, events: tuple[Event, ...]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if any(event.is_set() for event in events):
            return True
        time.sleep(_POLL_SECONDS)
    return False
