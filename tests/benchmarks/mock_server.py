"""Builds and runs the mock server (`mock_server.c`)."""

import json
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

SOURCE = Path(__file__).with_name("mock_server.c")
ANSWER_BYTES = 700


class Seen(NamedTuple):
    """What the server saw since it was last asked."""

    requests: int
    """Answered with a text."""
    peak: int
    """Most requests in flight at once."""
    first: float
    """When the first request was complete (clock of `time.monotonic`)."""
    last: float
    """When the last answer was sent."""
    cpu: float
    """CPU seconds of the server."""
    received: int
    """With any answer or none."""
    distinct: int
    """Different bodies among all received since the start."""

    @property
    def span(self) -> float:
        """Seconds from the first request to the last answer."""
        return self.last - self.first


class Faults(NamedTuple):
    """Shares of requests that are not answered as they should be."""

    limited: float = 0
    """Status 429."""
    failed: float = 0
    """Status 500."""
    reset: float = 0
    """The connection is reset."""


NO_FAULTS = Faults()


class MockServer(NamedTuple):
    """A running server."""

    base: str
    lines: IO[str]
    """Its standard output, after the port."""

    @property
    def api(self) -> str:
        """What a configuration calls `openai_api_base`."""
        return f"{self.base}/v1"

    def seen(self) -> Seen:
        """Statistics since the last call."""
        return self._ask("")

    def peek(self) -> Seen:
        """The same, to be told again at the next call."""
        return self._ask("/peek")

    def wait_for_first(self) -> None:
        """Returns as soon as the first request since the start has come, or the server has ended."""
        self.lines.readline()

    def _ask(self, path: str) -> Seen:
        with urllib.request.urlopen(self.base + path) as reply:
            return Seen(**json.load(reply))


def build(folder: Path) -> Path:
    """Compiles the server into the folder; needs gcc."""
    program = folder / "mock_server"
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, SOURCE], check=True)
    return program


@contextmanager
def mock_server(
    program: Path,
    latency_ms: float,
    pieces: int = 0,
    *,
    answer_bytes: int = ANSWER_BYTES,
    faults: Faults = NO_FAULTS,
) -> Iterator[MockServer]:
    """A server that answers everything after so many milliseconds; it ends with the block, or with this process.

    With `pieces`, every answer is a stream of so many events, evenly over that time.
    """
    command = [str(program), *map(str, (latency_ms, answer_bytes, pieces, *faults))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield MockServer(f"http://127.0.0.1:{int(process.stdout.readline())}", process.stdout)
        finally:
            process.terminate()
