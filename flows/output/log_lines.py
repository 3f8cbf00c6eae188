"""Log records on the terminal, a line each; of many that say the same, the first."""

import logging
import re
import time
from collections import Counter

from rich.markup import escape

from flows.output.console import err
from tasks.infer.task_log import is_kept
from tasks.models.model_log import CHUNK

_MOST_OF_ONE_REASON = 3
"""Times that the same is said."""
_MOST_OF_ONE_PLACE = 20
"""Times that one place in the code is heard, whatever it says."""
_NUMBERS = re.compile(r"\b(?<!HTTP )\w*\d\w*")
"""What differs between two services' errors that mean the same: counts, times, names of requests."""
_MARKS = {logging.ERROR: "[bold red]error:[/]", logging.WARNING: "[yellow]warning:[/]"}


class TerminalLog(logging.Handler):
    """Shows what is logged as findings are shown; with `debug` everything, and when.

    Without it, what every sample or request may say goes on in the task's own file alone after a few times.
    """

    def __init__(self, *, debug: bool) -> None:
        super().__init__(logging.DEBUG if debug else logging.WARNING)
        self._debug = debug
        self._of_reason: Counter[str] = Counter()
        self._of_place: Counter[tuple[str, int]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        if getattr(record, CHUNK, None) is not None:
            return  # shown by the stream view
        message = self.format(record)
        mark = _MARKS.get(record.levelno, record.levelname.lower())
        if self._debug:
            clock = time.strftime("%H:%M:%S", time.localtime(record.created))
            err.print(f"{clock} {mark} {escape(message)}")
        elif record.levelno >= logging.ERROR or not is_kept():
            err.print(f"{mark} {escape(message)}")
        elif said := self._count(record, message):
            more = " (more of these in the log alone)" if said == _MOST_OF_ONE_REASON else ""
            err.print(f"{mark} {escape(message)}{more}")

    def _count(self, record: logging.LogRecord, message: str) -> int:
        """How often this has been said, this time included; 0 if it was often enough before."""
        reason, origin = _NUMBERS.sub("#", message), (record.name, record.lineno)
        if self._of_reason[reason] >= _MOST_OF_ONE_REASON or self._of_place[origin] >= _MOST_OF_ONE_PLACE:
            return 0
        self._of_reason[reason] += 1
        self._of_place[origin] += 1
        return self._of_reason[reason]
