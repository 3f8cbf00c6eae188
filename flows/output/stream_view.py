"""Shows answers on the terminal while they are streamed (`verbose=True`): one request at a time, reasoning apart."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.markup import escape
from rich.text import Text

from flows.output.console import err
from tasks.models.model_log import CHUNK, StreamChunk

_LONGEST_LINE = 100
"""Characters after which a line is shown though it goes on: a progress bar allows whole lines only."""

Key = tuple[str, int]


@dataclass(slots=True)
class _Stream:
    """What of one request is not shown yet."""

    waiting: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    is_ended: bool = False


class StreamView(logging.Handler):
    """Shows the first request that streams line by line; those beside it follow when it has ended."""

    def __init__(self, scrub: Callable[[str], str]) -> None:
        super().__init__(logging.INFO)
        self._scrub = scrub
        self._streams: dict[Key, _Stream] = {}
        self._shown: Key | None = None
        self._line = ""
        self._is_reasoning = False

    def emit(self, record: logging.LogRecord) -> None:
        chunk: StreamChunk | None = getattr(record, CHUNK, None)
        if chunk is None:
            return
        key = (chunk.model, chunk.request)
        if chunk.is_last:
            if stream := self._streams.get(key):
                stream.is_ended = True
        else:
            self._streams.setdefault(key, _Stream()).waiting.append((chunk.text, chunk.is_reasoning))
        self._show()

    def _show(self) -> None:
        while self._shown is not None or self._streams:
            if self._shown is None:
                self._shown = next(iter(self._streams))
                model, request = self._shown
                err.print(f"[bold]{escape(model)}[/], request {request}")
            stream = self._streams[self._shown]
            for text, is_reasoning in stream.waiting:
                self._add(text, is_reasoning=is_reasoning)
            stream.waiting.clear()
            if not stream.is_ended:
                return
            self._end_line()
            del self._streams[self._shown]
            self._shown = None

    def _add(self, text: str, *, is_reasoning: bool) -> None:
        if is_reasoning != self._is_reasoning:
            self._end_line()
            self._is_reasoning = is_reasoning
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._print(line)
        while len(self._line) > _LONGEST_LINE:
            cut = self._line.rfind(" ", 1, _LONGEST_LINE) + 1 or _LONGEST_LINE
            self._print(self._line[:cut])
            self._line = self._line[cut:]

    def _end_line(self) -> None:
        if self._line:
            self._print(self._line)
        self._line = ""

    def _print(self, line: str) -> None:
        mark = "reasoning | " if self._is_reasoning else "   answer | "
        err.print(Text(mark, style="dim") + Text(self._scrub(line), style="dim italic" if self._is_reasoning else ""))
