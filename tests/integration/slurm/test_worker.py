"""Work pools of type `slurm`: a worker runs whole evaluations as jobs of a real Slurm."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.deployments import answer_of
from support.repository import installed
from support.slurm import Slurm, wait_until
from support.workspace import ROOT, Workspace, kill_group, make_workspace

from flows.local_server.settings import cli_settings
from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import server_files
from tasks.spec.storage.run_folder import read_json, run_names

pytestmark = [pytest.mark.slow, pytest.mark.serial]

FINAL = ("COMPLETED", "FAILED", "CANCELLED", "CRASHED")


@dataclass
class Pool:
    """A server with the deployments on a pool of Slurm, and a worker for it."""

    environ: dict[str, str]
    folder: Path
    worker: "subprocess.Popen[str]"

    def api(self, path: str, body: Any = None) -> Any:
        reply = answer_of(self.environ, path, body)
        assert reply.status in (200, 201), reply.body
        return reply.body

    def start(self, **parameters: Any) -> str:
        deployment = self.api("/deployments/name/compass/eval")["id"]
        return self.api(f"/deployments/{deployment}/create_flow_run", {"parameters": parameters})["id"]

    def run(self, identifier: str) -> dict[str, Any]:
        return self.api(f"/flow_runs/{identifier}")

    def ended(self, identifier: str, timeout: float = 120) -> dict[str, Any]:
        wait_until(lambda: self.run(identifier)["state_type"] in FINAL, timeout)
        return self.run(identifier)

    def logs(self, identifier: str) -> str:
        found = self.api("/logs/filter", {"logs": {"flow_run_id": {"any_": [identifier]}}, "limit": 200})
        return "\n".join(line["message"] for line in found)

    def start_worker(self) -> None:
        with (self.folder / "worker.log").open("ab") as log:
            self.worker = subprocess.Popen(
                [sys.executable, "-P", "-m", "prefect", "worker", "start", "--pool", "slurm", "--name", "one"],
                cwd=self.folder, env=self.environ, text=True, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip


@pytest.fixture(scope="module")
def pool(cluster: Slurm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pool]:
    folder = tmp_path_factory.mktemp("pool")
    environ = {
        **os.environ,
        **cluster.environment,
        "COMPASS_STATE_DIR": str(folder / "state"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(installed(folder / "installed"))]),
        "PREFECT_WORKER_QUERY_SECONDS": "1",
        "PREFECT_HOME": str(folder / "home"),
    }
    text = (ROOT / "deployments/prefect.yaml").read_text()
    (folder / "prefect.yaml").write_text(
        text.replace("    name: compass\n    job_variables", "    name: slurm\n    job_variables")
    )
    pool: Pool | None = None
    try:
        deploy = (sys.executable, "-P", "-m", "flows.terminal.cli", "deploy", "--work-dir", "runs")
        called(environ, folder, *deploy)
        address = own_address(server_files(environ))
        assert address is not None
        environ |= cli_settings(address)
        prefect = (sys.executable, "-P", "-m", "prefect")
        called(environ, folder, *prefect, "work-pool", "create", "slurm", "--type", "slurm")
        called(environ, folder, *deploy, "--prefect-file", str(folder / "prefect.yaml"))
        pool = Pool(environ, folder, None)  # type: ignore[arg-type]
        pool.start_worker()
        yield pool
    finally:
        if pool is not None and pool.worker is not None and pool.worker.poll() is None:
            kill_group(pool.worker)
        stop_own_server(server_files(environ))


def called(environ: dict[str, str], folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def workspace(pool: Pool, tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace


def test_a_pool_of_slurm_has_a_form_and_runs_an_evaluation_as_a_job(pool: Pool, workspace: Workspace):
    template = pool.api("/work_pools/slurm")["base_job_template"]["variables"]["properties"]
    assert {"partition", "qos", "extra_command", "num_gpus", "env"} <= template.keys()
    workspace.write({"sums": 6})
    identifier = pool.start(config=str(workspace.config))
    run = pool.ended(identifier)
    assert run["state_type"] == "COMPLETED", run["state"]["message"] + pool.logs(identifier)
    assert re.fullmatch(r"\d+", run["infrastructure_pid"])
    [name] = run_names(pool.folder / "runs")
    assert read_json(pool.folder / "runs" / name / "results/adder/sums.json")["accuracy"] == 100.0


def test_what_slurm_refuses_and_what_dies_is_told_on_the_page(pool: Pool, workspace: Workspace, cluster: Slurm):
    workspace.write({"sums": 40})
    workspace.server.latency = 1.0
    deployment = pool.api("/deployments/name/compass/eval")["id"]
    refused = pool.api(
        f"/deployments/{deployment}/create_flow_run",
        {"parameters": {"config": str(workspace.config)}, "job_variables": {"partition": "nowhere"}},
    )["id"]
    killed = pool.start(config=str(workspace.config))
    run = pool.ended(refused)
    assert run["state_type"] == "CRASHED" and "invalid partition" in run["state"]["message"]
    wait_until(lambda: workspace.server.requests > 0, 90)
    cluster.ask("scancel", "--signal=KILL", "--full", pool.run(killed)["infrastructure_pid"])
    cluster.ask("scancel", pool.run(killed)["infrastructure_pid"])
    run = pool.ended(killed)
    assert run["state_type"] == "CRASHED" and "Slurm job" in run["state"]["message"], run["state"]


def test_cancelling_ends_the_job_and_a_restarted_worker_goes_on(pool: Pool, workspace: Workspace, cluster: Slurm):
    workspace.write({"sums": 60})
    workspace.server.latency = 0.7
    identifier, asked = pool.start(config=str(workspace.config)), workspace.server.requests
    wait_until(lambda: workspace.server.requests > asked, 90)
    os.killpg(pool.worker.pid, signal.SIGKILL)
    pool.worker.wait()
    pool.start_worker()
    job = pool.run(identifier)["infrastructure_pid"]
    assert cluster.ask("squeue", "-h", "-j", job, "-o", "%T").strip() == "RUNNING"
    pool.api(f"/flow_runs/{identifier}/set_state", {"state": {"type": "CANCELLING", "name": "Cancelling"}})
    run = pool.ended(identifier)
    assert run["state_type"] == "CANCELLED", run["state"]
    wait_until(lambda: cluster.ask("squeue", "-h", "-t", "RUNNING", "-o", "%i").strip() == "", 60)
    time.sleep(1.5)
    still = workspace.server.requests
    time.sleep(1.5)
    assert workspace.server.requests == still
