"""The Prefect API of a run from the command line: looked for before planning, waited for after it."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from flows.local_server.health import is_up, works
from flows.output.console import say
from flows.prefect_api.server import ApiAddress, ServerHandle, check_api, find_api, start_own_server, try_no_more, use

_SECONDS_BETWEEN_LOOKS = 5.0
_SECONDS_UNTIL_LOST = 10.0
"""Less than Prefect's client tries a call for, see `run_settings`."""


class RunApi:
    """An API that is configured, or our own server while it starts."""

    def __init__(self, configured: ApiAddress | None, server: ServerHandle | None, stack: ExitStack) -> None:
        self._configured = configured
        self._server = server
        self._stack = stack
        self._address: ApiAddress | None = None
        self.lost = False
        """Whether the API went away while the run reported to it."""

    def ready(self, stop: threading.Event) -> bool:
        """Makes this process report to the API; False, and said so, if our own server did not come up.

        Setting `stop` ends the wait for it.
        """
        address = self._configured
        if self._server is not None:
            address = self._server.wait(stop=stop)
            if stop.is_set():
                return False
            if address is None:
                say(f"{self._server.problem}; the run goes on without it, as with --inline")
                return False
        if address is None:
            return False
        self._address = address
        self._stack.enter_context(use(address))
        say(f"Prefect: {address.ui_url}{'  (its password: compass server)' if address.own else ''}")
        return True

    def answers(self) -> bool:
        """Whether the API that `ready` found is still there."""
        return self._address is not None and is_up(self._address)

    @contextmanager
    def watched(self, lost: Callable[[], None]) -> Iterator[None]:
        """Calls `lost`, from a thread of its own, if the API goes away for longer than a moment during the block.

        The calls that are under way then fail at once, instead of trying for a quarter of a minute each.
        """
        over = threading.Event()
        watch = threading.Thread(target=self._watch, args=(over, lost), name="api-watch", daemon=True)
        watch.start()
        try:
            yield
        finally:
            over.set()
            watch.join()

    def _watch(self, over: threading.Event, lost: Callable[[], None]) -> None:
        assert self._address is not None
        heard = time.monotonic()
        while not over.wait(_SECONDS_BETWEEN_LOOKS):
            if works(self._address):
                heard = time.monotonic()
            elif time.monotonic() - heard > _SECONDS_UNTIL_LOST:
                self.lost = True
                try_no_more()
                lost()
                return


class _Say(logging.Handler):
    """Shows what the server's starter has to say."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


@contextmanager
def _server_messages() -> Iterator[None]:
    logger, handler = logging.getLogger("flows.prefect_api.server"), _Say(logging.INFO)
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


@contextmanager
def prefect_api() -> Iterator[RunApi]:
    """UserError naming the URL if a configured API does not answer; our own server starts in the background."""
    with ExitStack() as stack, _server_messages():
        configured = find_api(os.environ)
        if configured is not None:
            check_api(configured)
            yield RunApi(configured, None, stack)
        else:
            yield RunApi(None, stack.enter_context(start_own_server()), stack)
