"""The Prefect API of a run from the command line: looked for before planning, waited for after it."""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from flows.console import say
from flows.local_server.check import is_up
from flows.server import ApiAddress, ServerHandle, check_api, find_api, start_own_server, use


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
        say(f"Prefect: {address.ui_url}")
        return True

    def answers(self) -> bool:
        """Whether the API that `ready` found is still there."""
        return self._address is not None and is_up(self._address)


class _Say(logging.Handler):
    """Shows what the server's starter has to say."""

    def emit(self, record: logging.LogRecord) -> None:
        say(record.getMessage())


@contextmanager
def _server_messages() -> Iterator[None]:
    logger, handler = logging.getLogger("flows.server"), _Say(logging.INFO)
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
