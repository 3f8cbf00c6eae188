"""Starts the server of a model for the time it is asked, and stops it."""

import logging
import os
import socket
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from tasks.models.engines.serve_options import ServeOptions, serve_options, with_port
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.specs import ModelSpec
from tasks.supervisor import Supervised, start

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.2
_GRACE_SECONDS = 3.0
_SHORT_GRACE_SECONDS = 1.0
"""How long a server may take to end, ordinarily and after an interrupt."""
_ADDRESS = "openai_api_base"


class NotAwaited(Exception):
    """The run was interrupted while the server started."""


@contextmanager
def served(
    model: ModelSpec,
    log: Path,
    gpus: Sequence[str] = (),
    port: int | None = None,
    *,
    stop: threading.Event | None = None,
) -> Generator[ModelSpec, None, None]:
    """The model with the address of its running server, at a free port or the given one; without `serve` as it is.

    The server's output goes to `log`; it sees only the given GPUs if it asks for any. UserError, with the end of the
    log, if it cannot be started, ends too early, or is not ready in time; NotAwaited if `stop` is set before.
    """
    if model.serve is None:
        yield model
        return
    options = serve_options(model)
    port = port or free_port()
    stop = stop or threading.Event()
    server = _started(model, options, port, log, gpus)
    try:
        _await_ready(model, options, with_port(options.ready, port), server, stop)
        address = {_ADDRESS: options.address} if options.address else {}
        yield model.model_copy(update={"arguments": with_port({**address, **model.arguments}, port)})
    finally:
        server.stop(_SHORT_GRACE_SECONDS if stop.is_set() else _GRACE_SECONDS)


def free_port() -> int:
    """A TCP port on the loopback interface that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _started(model: ModelSpec, options: ServeOptions, port: int, log: Path, gpus: Sequence[str]) -> Supervised:
    environment = dict(os.environ)
    if options.num_gpus and gpus:
        environment["CUDA_VISIBLE_DEVICES"] = ",".join(gpus)
    command: list[str] = with_port(options.command, port)
    _log.info("%s: starting its server (%s), output in %s", model.abbr, command[0], log)
    try:
        return start(command, env=environment, log=log)
    except OSError as error:
        raise _failed(model, f"cannot be started: {command[0]}: {error.strerror or error}") from None


def _await_ready(
    model: ModelSpec, options: ServeOptions, ready: str, server: Supervised, stop: threading.Event
) -> None:
    start_time = time.monotonic()
    while not _answers(ready):
        if server.poll() is not None:
            raise _failed(model, f"ended with status {server.returncode} before it was ready", server)
        if time.monotonic() - start_time > options.timeout:
            raise _failed(model, f"did not answer at {ready} within {options.timeout:g} s", server)
        if stop.wait(_POLL_SECONDS):
            raise NotAwaited
    _log.info("%s: its server is ready after %.1f s", model.abbr, time.monotonic() - start_time)


def _answers(url: str) -> bool:
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=2) as reply:
            return reply.status == 200
    except (URLError, OSError):
        return False


def _failed(model: ModelSpec, what: str, server: Supervised | None = None) -> UserError:
    tail = server.tail() if server else ""
    lines = "".join(f"\n    {line}" for line in tail.splitlines())
    remedy = f"the end of {server.log}:{lines}" if server and tail else "see `serve` of this model"
    message = f"model {model.abbr!r}: its server {what}"
    return UserError(Finding(message, model.place, remedy, FindingKind.MACHINE))
