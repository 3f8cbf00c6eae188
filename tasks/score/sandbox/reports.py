"""What the two processes of a hearing report: lines `WORD NUMBER TEXT`."""

import os
import re
import select
import time
from collections.abc import Callable, Mapping

Told = dict[tuple[str, str], tuple[float, str]]
"""From who said it and the word to number and text; the first counts."""
_LINE_BYTES = 8 << 10
_LINE = re.compile(r"(?P<word>\w+) (?P<number>-?\d{1,9}(?:\.\d{1,9})?) (?P<text>.*)", re.ASCII | re.DOTALL)


class Reports:
    """The lines from several descriptors, each under the name of who writes it."""

    def __init__(self, descriptors: Mapping[int, str]) -> None:
        self.told: Told = {}
        self._open = dict(descriptors)
        self._rests = dict.fromkeys(descriptors, b"")

    def listen(self, seconds: float, done: Callable[[Told], bool]) -> None:
        """Until what was told is enough, nobody says anything more, or the time is over."""
        deadline = time.monotonic() + seconds
        while self._open and not done(self.told):
            poll = select.poll()
            for descriptor in self._open:
                poll.register(descriptor, select.POLLIN)
            ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            if not ready:
                return
            for descriptor, _ in ready:
                self._read(descriptor)

    def leave(self, who: str) -> None:
        """Listens to that one no more."""
        self._open = {descriptor: name for descriptor, name in self._open.items() if name != who}

    def has_ended(self, who: str) -> bool:
        """Whether that one will say nothing more."""
        return who not in self._open.values()

    def _read(self, descriptor: int) -> None:
        try:
            chunk = os.read(descriptor, 65536)
        except ConnectionResetError:
            chunk = b""
        if not chunk:
            del self._open[descriptor]
            return
        who = self._open[descriptor]
        *lines, self._rests[descriptor] = (self._rests[descriptor][-_LINE_BYTES:] + chunk).split(b"\n")
        for line in lines:
            if said := _LINE.fullmatch(line.decode("utf-8", "replace")):
                self.told.setdefault((who, said["word"]), (float(said["number"]), said["text"]))
