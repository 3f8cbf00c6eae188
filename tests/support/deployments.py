"""A server with all deployments and a process worker of its own, which `compass deploy --worker` starts."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.workspace import ROOT, kill_group

from flows.local_server.health import Reply, call
from flows.local_server.settings import cli_settings
from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import server_files
from tasks.spec.storage.run_folder import run_names


def answer_of(environ: dict[str, str], path: str, body: Any = None) -> Reply:
    """What the local server says; asked again while its database has no time."""
    address = own_address(server_files(environ))
    assert address is not None
    for _ in range(40):  # the database is locked, or away, for a moment; Prefect's own client tries again as well
        with suppress(OSError):
            reply = call(address, path, body)
            if reply.status not in (500, 503):
                return reply
        time.sleep(0.5)
    raise AssertionError(f"{path} is not answered")


@dataclass
class Deployed:
    """A server with all deployments, and what its worker has to do with it."""

    environ: dict[str, str]
    folder: Path
    work_dir: Path
    worker: "subprocess.Popen[str]"

    def api(self, path: str, body: Any = None) -> Any:
        return self.reply(path, body).body

    def reply(self, path: str, body: Any = None) -> Reply:
        return answer_of(self.environ, path, body)

    def start(self, name: str, **parameters: Any) -> str:
        """Begins a run of a deployment; returns its id."""
        deployment = self.api(f"/deployments/name/{name}")["id"]
        reply = self.reply(f"/deployments/{deployment}/create_flow_run", {"parameters": parameters})
        assert reply.status == 201, reply.body
        return reply.body["id"]

    def run(self, identifier: str) -> dict[str, Any]:
        return self.api(f"/flow_runs/{identifier}")

    def ended(self, identifier: str, timeout: float = 120) -> dict[str, Any]:
        """The run when its state is final."""
        final = ("COMPLETED", "FAILED", "CANCELLED", "CRASHED")
        wait_for(lambda: self.run(identifier)["state_type"] in final, f"run {identifier} to end", timeout)
        return self.run(identifier)

    def set_state(self, identifier: str, type_: str, name: str) -> None:
        reply = self.reply(f"/flow_runs/{identifier}/set_state", {"state": {"type": type_, "name": name}})
        assert reply.status == 201 and reply.body["status"] == "ACCEPT", reply.body

    def children(self, identifier: str) -> list[dict[str, Any]]:
        return self.api("/flow_runs/filter", {"flow_runs": {"parent_flow_run_id": {"any_": [identifier]}}})

    def prefect(self, *arguments: str, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
        address = own_address(server_files(self.environ))
        assert address is not None
        return subprocess.run(
            [sys.executable, "-P", "-m", "prefect", *arguments],
            cwd=folder or self.folder,
            env=self.environ | cli_settings(address) | {"PREFECT_HOME": str(self.folder / "home")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def folders(self) -> list[Path]:
        return [self.work_dir / name for name in run_names(self.work_dir)]

    def folder_of(self, identifier: str) -> Path:
        """The only run folder that a flow run wrote to."""
        written = [folder for folder in self.folders() if identifier in (folder / "run.json").read_text()]
        assert len(written) == 1
        return written[0]


def wait_for(condition: Callable[[], bool], what: str, timeout: float = 120) -> None:
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.2)


@contextmanager
def running_deployments(
    folder: Path, variables: dict[str, str] | None = None, settings: Path | None = None
) -> Iterator[Deployed]:
    """Starts server, with the settings in a file, and worker in that folder, and stops what is left of them."""
    environ = {
        **os.environ,
        "COMPASS_STATE_DIR": str(folder / "state"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PREFECT_WORKER_QUERY_SECONDS": "1",
        **(variables or {}),
    }
    deployed = Deployed(environ, folder, folder / "runs", start_worker(folder, environ, settings))
    try:
        yield deployed
    finally:
        if deployed.worker.poll() is None:
            kill_group(deployed.worker)
        stop_own_server(server_files(environ))


def start_worker(folder: Path, environ: dict[str, str], settings: Path | None = None) -> "subprocess.Popen[str]":
    """A worker that is ready; it starts the server where none runs."""
    log = folder / "worker.log"
    given = ["--settings", str(settings)] if settings else []
    with log.open("wb") as file:
        worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "flows.terminal.cli", "deploy", "--worker", "--work-dir", "runs", *given],
            cwd=folder,
            env=environ,
            text=True,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    try:
        wait_for(lambda: b"started!" in log.read_bytes() or worker.poll() is not None, "the worker", 300)
    except AssertionError:
        kill_group(worker)
        raise
    assert worker.poll() is None, log.read_text()
    return worker


def children_of(process: int) -> dict[int, str]:
    """Descendants of a process that live, with their command lines."""
    shown = subprocess.run(["ps", "-eo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 3) for line in shown.splitlines()]
    children = {int(pid): args for pid, parent, state, args in rows if int(parent) == process and state[0] != "Z"}
    return children | {pid: args for child in children for pid, args in children_of(child).items()}
