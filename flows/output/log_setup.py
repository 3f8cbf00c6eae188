"""Where log records go: warnings to the terminal, all of a task's to its file; secrets nowhere."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flows.output.log_lines import TerminalLog
from flows.output.stream_view import StreamView
from tasks.infer.task_log import WorkLogRouter
from tasks.spec.secrets.scrubber import SecretFilter, SecretScrubber

_LOGGERS = ("tasks", "flows", "blocks")


@contextmanager
def run_logs(values: Any, *, debug: bool) -> Iterator[None]:
    """Sets our loggers up for the run of a configuration whose secrets must not be seen."""
    scrubber = SecretScrubber.of_configuration(values)
    scrub = SecretFilter(scrubber)
    handlers = (TerminalLog(debug=debug), WorkLogRouter(), StreamView(scrubber.scrub))
    # Prefect's handler, where a worker was told to show our records on the page of the run.
    others = [handler for name in _LOGGERS for handler in logging.getLogger(name).handlers]
    for handler in (*handlers, *others):
        handler.addFilter(scrub)
    levels = {name: logging.getLogger(name).level for name in _LOGGERS}
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.setLevel(logging.DEBUG if debug else logging.INFO)
        logger.propagate = False
        for handler in handlers:
            logger.addHandler(handler)
    try:
        yield
    finally:
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            logger.propagate = True
            logger.setLevel(levels[name])
            for handler in handlers:
                logger.removeHandler(handler)
        for handler in others:
            handler.removeFilter(scrub)
