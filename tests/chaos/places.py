"""Where a round runs: in one process, with a Prefect server, with jobs of Slurm, or as flow runs of a worker."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from chaos.comparison import MARK
from chaos.evaluation import Evaluation
from support.deployments import Deployed, children_of, start_worker, wait_for
from support.slurm import Slurm
from support.workspace import Workspace

from flows.local_server.state import read_record, server_files

_MOST_SECONDS = 240.0
KILLED = -signal.SIGKILL
_STATUS = {"COMPLETED": 0, "FAILED": 1, "CANCELLED": 130, "CRASHED": KILLED}


class Ended(NamedTuple):
    """How an attempt at the evaluation ended: its exit status, and what it said."""

    status: int
    output: str


class Attempt(Protocol):
    """A run that has been started."""

    def is_over(self) -> bool: ...

    def end(self) -> Ended:
        """Waits for the end; fails if none comes."""
        ...

    def kill(self) -> None:
        """SIGKILL for the process of the flow and its children."""
        ...

    def interrupt(self) -> None:
        """Asks it to end, as Ctrl-C does."""
        ...


class Place(Protocol):
    """Where attempts are started."""

    @property
    def name(self) -> str: ...

    def start(self, evaluation: Evaluation, variables: dict[str, str]) -> Attempt:
        """Begins the evaluation, or goes on with it; `variables` are put into its environment."""
        ...

    def kill_worker(self, processes: dict[int, str], pick: Callable[[list[int]], int]) -> bool:
        """Kills one of the round's processes that works for the flow; False if there is none."""
        ...

    def kill_server(self, *, with_keeper: bool) -> bool:
        """Kills the Prefect server; False if there is none."""
        ...

    def start_server(self) -> None:
        """Brings it back, where a run would not."""
        ...

    def database(self) -> Path | None:
        """Prefect's database, where it is a file."""
        ...

    def lasting(self) -> set[int]:
        """Processes that outlive a run, as they should."""
        ...

    def jobs(self) -> list[str]:
        """Jobs of a scheduler that are not over."""
        ...


class Command:
    """`compass` as a process of its own, whose output is read all the time."""

    def __init__(self, workspace: Workspace, arguments: list[str], environ: dict[str, str]) -> None:
        self._process = workspace.start(*arguments, environ=environ)
        self._said = ("", "")
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def is_over(self) -> bool:
        """See `Attempt`."""
        return self._process.poll() is not None

    def end(self) -> Ended:
        """See `Attempt`."""
        try:
            self._process.wait(_MOST_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            self._reader.join(5)
            raise AssertionError("\n".join(["it does not end:", *self._said])) from None
        self._reader.join(5)  # a process that outlives it may hold its output open
        return Ended(self._process.returncode, "".join(self._said))

    def kill(self) -> None:
        """See `Attempt`."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(10)

    def interrupt(self) -> None:
        """See `Attempt`."""
        self._process.send_signal(signal.SIGINT)

    def _read(self) -> None:
        self._said = self._process.communicate()


@dataclass
class Commands:
    """The command line: `--inline`, with a local Prefect server, or with jobs of Slurm."""

    name: str
    arguments: list[str] = field(default_factory=list[str])
    environ: dict[str, str] = field(default_factory=dict[str, str])
    slurm: Slurm | None = None

    def start(self, evaluation: Evaluation, variables: dict[str, str]) -> Command:
        """See `Place`."""
        workspace = evaluation.workspace
        reuse = ["-r"] if _run_folders(workspace.work_dir) else []
        return Command(workspace, [str(workspace.config), *self.arguments, *reuse], self.environ | variables)

    def kill_worker(self, processes: dict[int, str], pick: Callable[[list[int]], int]) -> bool:
        """See `Place`."""
        workers = [pid for pid, line in processes.items() if "-m tasks." in line]
        if workers:
            with suppress(ProcessLookupError):
                os.kill(pick(sorted(workers)), signal.SIGKILL)
        return bool(workers)

    def kill_server(self, *, with_keeper: bool) -> bool:
        """See `Place`."""
        return _kill_server(self.environ, with_keeper=with_keeper)

    def start_server(self) -> None:
        """See `Place`."""

    def database(self) -> Path | None:
        """See `Place`."""
        return _database(self.environ)

    def lasting(self) -> set[int]:
        """See `Place`."""
        return _server_processes(self.environ)

    def jobs(self) -> list[str]:
        """See `Place`."""
        return [] if self.slurm is None else ["|".join(job) for job in self.slurm.jobs("pending,running,completing")]


@dataclass
class FlowRun:
    """A flow run that a worker executes."""

    deployed: Deployed
    identifier: str
    before: set[int]
    """The worker's processes when it was asked for."""

    def is_over(self) -> bool:
        """See `Attempt`."""
        return self.deployed.run(self.identifier)["state_type"] in _STATUS

    def end(self) -> Ended:
        """See `Attempt`."""
        run = self.deployed.ended(self.identifier, _MOST_SECONDS)
        wait_for(lambda: not self._processes(), "the flow run's processes to end", 30)
        return Ended(_STATUS[run["state_type"]], str(run["state"]["message"]))

    def kill(self) -> None:
        """See `Attempt`."""
        for pid in self._processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def interrupt(self) -> None:
        """See `Attempt`."""
        self.deployed.reply(
            f"/flow_runs/{self.identifier}/set_state", {"state": {"type": "CANCELLING", "name": "Cancelling"}}
        )

    def _processes(self) -> set[int]:
        return children_of(self.deployed.worker.pid).keys() - self.before


@dataclass
class Worker:
    """A process worker, which takes flow runs from the server's work pool."""

    deployed: Deployed
    name: str = "worker"

    def start(self, evaluation: Evaluation, variables: dict[str, str]) -> FlowRun:
        """See `Place`."""
        workspace = evaluation.workspace
        parameters = {"config": str(workspace.config), "work_dir": str(workspace.work_dir)}
        if names := _run_folders(workspace.work_dir):
            parameters["reuse"] = names[-1]
        before = set(children_of(self.deployed.worker.pid))
        deployment = self.deployed.api("/deployments/name/compass/eval")["id"]
        body = {"parameters": parameters, "job_variables": {"env": variables}}
        reply = self.deployed.reply(f"/deployments/{deployment}/create_flow_run", body)
        assert reply.status == 201, reply.body
        return FlowRun(self.deployed, reply.body["id"], before)

    def kill_worker(self, processes: dict[int, str], pick: Callable[[list[int]], int]) -> bool:
        """See `Place`: what it has started goes on, and a new worker takes its place."""
        with suppress(ProcessLookupError):
            os.kill(self.deployed.worker.pid, signal.SIGKILL)
        self.deployed.worker.wait(10)
        self.deployed.worker = start_worker(self.deployed.folder, self.deployed.environ)
        return True

    def kill_server(self, *, with_keeper: bool) -> bool:
        """See `Place`."""
        return _kill_server(self.deployed.environ, with_keeper=with_keeper)

    def start_server(self) -> None:
        """See `Place`."""
        up = [sys.executable, "-P", "-m", "flows.terminal.cli", "server", "up"]
        subprocess.run(up, env=self.deployed.environ, check=True, timeout=300, capture_output=True)

    def database(self) -> Path | None:
        """See `Place`: it is in PostgreSQL."""
        return None

    def lasting(self) -> set[int]:
        """See `Place`."""
        return _server_processes(self.deployed.environ) | {self.deployed.worker.pid}

    def jobs(self) -> list[str]:
        """See `Place`."""
        return []


def marked(token: str) -> dict[str, str]:
    """The variable by which a round's processes are known."""
    return {MARK: token}


def _run_folders(work_dir: Path) -> list[str]:
    return sorted(path.name for path in work_dir.iterdir() if path.is_dir()) if work_dir.is_dir() else []


def _kill_server(environ: dict[str, str], *, with_keeper: bool) -> bool:
    record = read_record(server_files(environ)) if environ else None
    if record is None:
        return False
    for pid in (record.keeper, record.server) if with_keeper else (record.server,):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return True


def _database(environ: dict[str, str]) -> Path | None:
    path = server_files(environ).home / "prefect.db" if "COMPASS_STATE_DIR" in environ else None
    return path if path is not None and path.is_file() else None


def _server_processes(environ: dict[str, str]) -> set[int]:
    record = read_record(server_files(environ)) if "COMPASS_STATE_DIR" in environ else None
    own = {record.keeper, record.server} if record else set[int]()
    return own.union(*(children_of(pid) for pid in own))
