"""A team's server on a real PostgreSQL, with a password and a worker, set up by one command."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.postgres import missing, running_postgres
from support.workspace import ROOT, Workspace, kill_group, make_workspace

from flows.local_server.health import call
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.start import stop_own_server
from flows.local_server.state import read_record, server_files
from tasks.spec.storage.run_folder import read_json, run_names

pytestmark = [pytest.mark.slow, pytest.mark.serial]

AUTH = "team:canary-of-the-team"
FINAL = ("COMPLETED", "FAILED", "CANCELLED", "CRASHED")


@dataclass
class Team:
    """The server, its worker, and how colleagues reach it."""

    folder: Path
    settings: Path
    port: int
    database: str
    environ: dict[str, str]
    worker: "subprocess.Popen[bytes]"

    @property
    def work_dir(self) -> Path:
        return self.folder / "runs"

    @property
    def colleague(self) -> dict[str, str]:
        """What everybody else sets."""
        return {
            "PREFECT_API_URL": f"http://127.0.0.1:{self.port}/api",
            "PREFECT_API_AUTH_STRING": AUTH,
            "COMPASS_STATE_DIR": str(self.folder / "state-of-a-colleague"),
        }

    def api(self, path: str, body: Any = None) -> Any:
        reply = call(ApiAddress(f"http://127.0.0.1:{self.port}/api", auth_string=AUTH), path, body, timeout=60)
        assert reply.status in (200, 201), reply
        return reply.body

    def start(self, **parameters: Any) -> str:
        deployment = self.api("/deployments/name/compass/eval")["id"]
        return self.api(f"/deployments/{deployment}/create_flow_run", {"parameters": parameters})["id"]

    def run(self, identifier: str) -> dict[str, Any]:
        return self.api(f"/flow_runs/{identifier}")

    def ended(self, identifier: str, timeout: float = 120) -> dict[str, Any]:
        wait_for(lambda: self.run(identifier)["state_type"] in FINAL, "the run to end", timeout)
        return self.run(identifier)

    def compass(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A sub-command where the server is."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "flows.terminal.cli", *arguments],
            cwd=self.folder, env=self.environ, capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip


def wait_for(condition: Callable[[], object], what: str, timeout: float = 120) -> None:
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.2)


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("team")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with running_postgres() as postgres:
        database, settings = postgres.new_database("postgresql+asyncpg"), folder / "team.env"
        lines = {
            "PREFECT_SERVER_DATABASE_CONNECTION_URL": database,
            "PREFECT_SERVER_API_AUTH_STRING": AUTH,
            "PREFECT_SERVER_API_PORT": str(port),
        }
        settings.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
        settings.chmod(0o600)
        environ = {
            **os.environ,
            "COMPASS_STATE_DIR": str(folder / "state"),
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "PREFECT_WORKER_QUERY_SECONDS": "1",
        }
        with (folder / "worker.log").open("wb") as log:
            worker = subprocess.Popen(
                [sys.executable, "-P", "-m", "flows.terminal.cli", "deploy", "--worker", "-w", "runs",
                 "--settings", "team.env"],
                cwd=folder, env=environ, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        try:
            said = folder / "worker.log"
            wait_for(lambda: b"started!" in said.read_bytes() or worker.poll() is not None, "the worker", 200)
            assert worker.poll() is None, said.read_text()
            yield Team(folder, settings, port, database, environ, worker)
        finally:
            if worker.poll() is None:
                kill_group(worker)  # pyright: ignore[reportArgumentType]
            stop_own_server(server_files(environ))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace


def test_all_is_in_the_teams_database_behind_its_password(team: Team):
    assert sorted(asyncio.run(names_in(team.database))) == [
        *("compass", "compass", "compass", "compass", "eval", "infer", "viz")
    ]
    stranger = call(ApiAddress(f"http://127.0.0.1:{team.port}/api"), "/deployments/filter", {})
    assert stranger.status == 401
    shown = team.compass("server").stdout
    assert str(team.settings) in shown and f"http://127.0.0.1:{team.port}" in shown
    kept = [path for path in (team.folder / "state").rglob("*") if path.is_file() and not path.is_symlink()]
    secrets = (AUTH.partition(":")[2].encode(), b"canary-of-the-database")
    assert [path for path in kept if any(secret in path.read_bytes() for secret in secrets)] == []


async def names_in(database: str) -> list[str]:
    """Names of the flows of all deployments."""
    import asyncpg

    connection = await asyncpg.connect(database.replace("+asyncpg", ""))
    try:
        rows = await connection.fetch("SELECT flow.name FROM deployment JOIN flow ON flow.id = deployment.flow_id")
        return [row["name"] for row in rows]
    finally:
        await connection.close()


def test_a_second_run_of_the_same_folder_is_refused_and_a_cancelled_one_ends_with_its_children(
    team: Team, workspace: Workspace
):
    workspace.write({"sums": 200})
    workspace.server.latency = 0.5
    first = team.start(config=str(workspace.config))
    wait_for(lambda: workspace.server.requests >= 8, "questions")
    folder = team.work_dir / run_names(team.work_dir)[-1]
    second = team.start(config=str(workspace.config), reuse=folder.name)
    refused = team.ended(second)["state"]
    assert refused["type"] == "FAILED"
    [process] = [pid for pid in children_of(team.worker.pid) if f"process {pid}" in refused["message"]]
    assert socket.gethostname() in refused["message"] and folder.name in refused["message"]
    assert team.run(first)["state_type"] == "RUNNING"
    reply = team.api(f"/flow_runs/{first}/set_state", {"state": {"type": "CANCELLING", "name": "Cancelling"}})
    assert reply["status"] == "ACCEPT"
    assert team.ended(first, 40)["state_type"] == "CANCELLED"
    wait_for(lambda: process not in children_of(team.worker.pid), "the process of the run to end", 30)


def test_a_server_that_restarts_in_the_middle_ends_no_run(team: Team, workspace: Workspace, tmp_path: Path):
    workspace.write({"sums": 48})
    workspace.server.latency = 0.5
    of_worker = team.start(config=str(workspace.config))
    wait_for(lambda: workspace.server.requests >= 8, "questions")
    other = make_workspace(tmp_path / "other", latency=0.5)
    (tmp_path / "other").mkdir()
    with other.server:
        other.write({"sums": 32})
        here = other.start(str(other.config), environ=team.colleague)
        wait_for(lambda: other.server.requests >= 8, "questions")
        record = read_record(server_files(team.environ))
        assert record is not None
        os.kill(record.server, signal.SIGKILL)
        output, errors = here.communicate(timeout=180)
        assert here.returncode == 0, errors
        assert "the Prefect server is gone; the run goes on without it" in errors and "100.00" in output
        assert other.server.requests <= 32 + 4
    restarted = team.compass("server", "up")
    assert restarted.returncode == 0 and f":{team.port}" in restarted.stdout, restarted.stderr
    run = team.ended(of_worker, 180)
    assert run["state_type"] == "COMPLETED", run["state"]["message"]
    folder = team.work_dir / run_names(team.work_dir)[-1]
    assert read_json(folder / "results/adder/sums.json")["accuracy"] == 100.0


def children_of(process: int) -> set[int]:
    """Descendants of a process that live."""
    shown = subprocess.run(["ps", "-eo", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in shown.splitlines()]
    children = {int(pid) for pid, parent, state in rows if int(parent) == process and state[0] != "Z"}
    return children.union(*map(children_of, children))
