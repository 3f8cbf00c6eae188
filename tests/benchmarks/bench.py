"""What every measurement uses: the folder, the environment, the units, and the product as a user starts it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.mock_server import build, mock_server
from benchmarks.processes import Usage, measure
from benchmarks.workspace import IN_FLIGHT, Workspace

from flows.local_server.state import read_record, server_files

ROOT = Path(__file__).parents[2]
_BARE_CLIENT = Path(__file__).with_name("bare_client.py")
_PROMPT_BYTES = 2400
"""What the packaged GSM8K configuration sends, about."""
_BARE_REQUESTS = 2000
_NOT_INHERITED = ("PREFECT_", "COMPASS_", "OPENAI_", "PYTHONDONTWRITEBYTECODE")


@dataclass(frozen=True)
class Bench:
    """One set-up, in a folder of its own with a local Prefect server of its own."""

    folder: Path
    mock_program: Path
    environ: dict[str, str]

    @property
    def workspace(self) -> Workspace:
        return Workspace(self.folder)

    @property
    def server_process(self) -> int:
        """Process id of the running Prefect server."""
        record = read_record(server_files(self.environ))
        assert record is not None
        return record.server

    def compass(self, *arguments: str) -> Usage:
        """The command line."""
        return self._python("-P", "-m", "flows.eval", *arguments)

    def with_path(self, path: str) -> "Bench":
        """The same with another PATH."""
        return replace(self, environ={**self.environ, "PATH": path})

    def script(self, name: str, *arguments: str) -> Usage:
        """A program of this folder."""
        return self._python("-P", str(Path(__file__).with_name(name)), *arguments)

    def import_prefect(self) -> float:
        """The unit `ip`: CPU seconds of a process that imports Prefect."""
        return self._python("-c", "import prefect").cpu

    def bare_client(self, api: str, in_flight: int = IN_FLIGHT, requests: int = _BARE_REQUESTS) -> float:
        """The unit of requests: CPU seconds per 1,000 requests of a bare aiohttp client."""
        numbers = map(str, (requests, in_flight, _PROMPT_BYTES))
        usage = self._python("-P", str(_BARE_CLIENT), f"{api}/chat/completions", *numbers)
        return float(usage.output) * 1000 / requests

    def warm_up(self) -> None:
        """Compiles what the measured runs import."""
        with mock_server(self.mock_program, 0) as server:
            config = self.workspace.gsm8k(server.api, "warm_up")
            for engine in ((), ("--inline",)):
                self.compass(config, "--limit", "1", *engine)

    def _python(self, *arguments: str) -> Usage:
        return measure([sys.executable, *arguments], self.folder, self.environ)


@contextmanager
def open_bench(folder: Path, *, with_server: bool = True) -> Iterator[Bench]:
    """Builds the mock server and starts a Prefect server."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(_NOT_INHERITED)}
    environ = {
        **inherited,
        "PYTHONPATH": str(ROOT),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "COMPASS_STATE_DIR": str(folder / "state"),
    }
    bench = Bench(folder, build(folder), environ)
    if not with_server:
        yield bench
        return
    try:
        bench.compass("server", "up")
        bench.warm_up()
        yield bench
    finally:
        bench.compass("server", "down")
