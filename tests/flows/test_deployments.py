"""Deployments on a server and a process worker of their own, which `compass deploy --worker` starts."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.workspace import CONFIG, ROOT, Workspace, kill_group, make_workspace

from flows.local_server.check import Reply, call
from flows.local_server.settings import cli_settings
from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import server_files
from tasks.spec.run_folder import read_json, run_names

pytestmark = [pytest.mark.slow, pytest.mark.serial]

NAMES = {
    *("compass/eval", "compass/infer", "compass/score", "compass/viz"),
    *("infer/stage", "eval/stage", "viz/stage"),
}


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
        address = own_address(server_files(self.environ))
        assert address is not None
        reply = call(address, path, body)
        for _ in range(20):
            if reply.status != 503:  # the database is locked for a moment; Prefect's own client tries again as well
                break
            time.sleep(0.5)
            reply = call(address, path, body)
        return reply

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


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("deployed")
    environ = {
        **os.environ,
        "COMPASS_STATE_DIR": str(folder / "state"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "PREFECT_WORKER_QUERY_SECONDS": "1",
    }
    work_dir = folder / "runs"
    log = (folder / "worker.log").open("wb")
    worker = subprocess.Popen(
        [sys.executable, "-P", "-m", "flows.cli", "deploy", "--worker", "--work-dir", "runs"],
        cwd=folder,
        env=environ,
        text=True,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    try:
        wait_for(lambda: b"started!" in (folder / "worker.log").read_bytes() or worker.poll() is not None, "the worker")
        assert worker.poll() is None, (folder / "worker.log").read_text()
        yield Deployed(environ, folder, work_dir, worker)
    finally:
        if worker.poll() is None:
            kill_group(worker)
        log.close()
        stop_own_server(server_files(environ))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path_factory.mktemp("user"))
    with workspace.server:
        workspace.write({"sums": 6})
        yield workspace


def write_names(workspace: Workspace) -> Path:
    """A folder of named configs that say the same as the workspace's configuration."""
    configs = workspace.folder / "configs"
    text = CONFIG.format(folder=str(workspace.folder), abbrs=["sums"], url=workspace.server.url, key="EMPTY", model={})
    for kind, name in (("models", "adder"), ("datasets", "sums_gen")):
        (configs / kind).mkdir(parents=True)
        (configs / kind / f"{name}.py").write_text(text.replace("\ndatasets =", "\nsums_datasets ="))
    return configs


def test_all_are_registered_with_a_typed_form(deployed: Deployed):
    found = deployed.api("/deployments/filter", {})
    flows = {flow["id"]: flow["name"] for flow in deployed.api("/flows/filter", {})}
    by_name = {f"{flows[item['flow_id']]}/{item['name']}": item for item in found}
    assert set(by_name) == NAMES
    modes = {name: item["parameters"].get("mode") for name, item in by_name.items() if name.startswith("compass/")}
    assert modes == {"compass/eval": "all", "compass/infer": "infer", "compass/score": "eval", "compass/viz": "viz"}
    assert by_name["compass/eval"]["parameters"]["work_dir"] == str(deployed.work_dir)
    form = by_name["compass/eval"]["parameter_openapi_schema"]["properties"]
    assert form["mode"]["enum"] == ["all", "infer", "eval", "viz"]
    assert [name for name, field in form.items() if not field.get("description")] == []


def test_a_bad_value_is_refused_before_a_run_exists(deployed: Deployed, tmp_path: Path):
    done = deployed.prefect("deployment", "run", "compass/eval", "--param", "mode=everything", folder=tmp_path)
    assert done.returncode == 1 and "mode" in done.stdout and "'infer'" in done.stdout
    deployment = deployed.api("/deployments/name/compass/eval")["id"]
    refused = deployed.reply(f"/deployments/{deployment}/create_flow_run", {"parameters": {"limit": 0}})
    assert refused.status in (409, 422) and "limit" in json.dumps(refused.body)


def test_runs_of_a_file_of_names_and_of_what_is_relative(deployed: Deployed, workspace: Workspace, tmp_path: Path):
    config = f"config={workspace.config}"
    done = deployed.prefect("deployment", "run", "compass/eval", "--param", config, folder=tmp_path)
    assert done.returncode == 0, done.stdout
    of_file = re.search(r"UUID: (\S+)", done.stdout)
    assert of_file is not None
    configs = write_names(workspace)
    of_names = deployed.start("compass/eval", models=["adder"], datasets=["sums_gen"], config_dir=str(configs))
    relative = deployed.start("compass/eval", config="my_eval.py")
    without_run = deployed.start("compass/score", config="examples/demo.py")
    for identifier in (of_file[1], of_names):
        run = deployed.ended(identifier)
        assert run["state_type"] == "COMPLETED", run["state"]["message"]
        folder = deployed.folder_of(identifier)
        assert folder.name in run["state"]["message"]
        assert read_json(folder / "results/adder/sums.json")["accuracy"] == 100.0
        assert {child["state_type"] for child in deployed.children(identifier)} == {"COMPLETED"}
    state = deployed.ended(relative)["state"]
    assert state["type"] == "FAILED" and "give an absolute path" in state["message"]
    state = deployed.ended(without_run)["state"]
    assert state["type"] == "FAILED" and "reuse" in state["message"]
    assert len(deployed.folders()) == 2
    stages_work_alone(deployed, *deployed.folders())


def stages_work_alone(deployed: Deployed, first: Path, second: Path) -> None:
    """Each stage of runs that are known by their folders."""
    for made in [*first.glob("predictions/*/*.json"), *second.glob("results/*/*.json"), *second.glob("summary/*.txt")]:
        made.unlink()
    started = [(first, "infer", "predictions/*/*.json"), (second, "eval", "results/*/*.json")]
    for together in (started, [(second, "viz", "summary/*.txt")]):
        runs = [deployed.start(f"{flow}/stage", run_folder=str(folder)) for folder, flow, _ in together]
        for (folder, flow, made), run in zip(together, map(deployed.ended, runs), strict=True):
            assert run["state_type"] == "COMPLETED", run["state"]["message"]
            assert run["name"] == f"{flow} {folder.name}" and len(list(folder.glob(made))) == 1
    assert len(deployed.folders()) == 2


def test_a_cancelled_run_ends_with_its_children_and_a_retry_goes_on_with_its_folder(
    deployed: Deployed, workspace: Workspace
):
    workspace.write({"sums": 80})
    workspace.server.latency = 0.5
    asked, idle = workspace.server.requests, children_of(deployed.worker.pid)
    identifier = deployed.start("compass/eval", config=str(workspace.config))
    wait_for(lambda: workspace.server.requests - asked >= 8, "questions")
    deployed.set_state(identifier, "CANCELLING", "Cancelling")
    assert deployed.ended(identifier, 30)["state_type"] == "CANCELLED"
    assert [child["state_type"] for child in deployed.children(identifier)] == ["CANCELLED"]
    wait_for(lambda: children_of(deployed.worker.pid).keys() <= idle.keys(), "the worker's processes to end", 15)
    confirmed = "cancelled successfully"  # by the worker, which would overrule a retry that came earlier
    wait_for(lambda: confirmed in deployed.run(identifier)["state"]["message"], "the end of the cancellation", 30)
    folder = deployed.folder_of(identifier)
    workspace.server.latency = 0.0
    run = deployed.run(identifier)
    for _ in range(3):  # a late signal of the worker's cancellation can still hit a retry; the next one goes on
        before = run["state_type"]
        deployed.set_state(identifier, "SCHEDULED", "AwaitingRetry")
        wait_for(lambda before=before: deployed.run(identifier)["state_type"] != before, "the retry")
        run = deployed.ended(identifier)
        if run["state_type"] == "COMPLETED":
            break
    assert run["state_type"] == "COMPLETED", run["state"]["message"]
    assert deployed.folder_of(identifier) == folder
    assert read_json(folder / "results/adder/sums.json")["accuracy"] == 100.0
    assert workspace.server.requests - asked <= 80 + 4


def test_sigterm_ends_a_run_cleanly_and_a_stopped_worker_leaves_no_process_behind(
    deployed: Deployed, workspace: Workspace
):
    workspace.write({"sums": 400})
    workspace.server.latency = 0.5
    idle = children_of(deployed.worker.pid).keys()

    def asking() -> str:
        asked, identifier = workspace.server.requests, deployed.start("compass/infer", config=str(workspace.config))
        wait_for(lambda: workspace.server.requests - asked >= 8, "questions")
        return identifier

    identifier = asking()
    for process in children_of(deployed.worker.pid).keys() - idle:
        os.kill(process, signal.SIGTERM)
    assert deployed.ended(identifier, 15)["state_type"] == "CANCELLED"
    asking()
    left = children_of(deployed.worker.pid).keys() - idle
    assert left
    os.kill(deployed.worker.pid, signal.SIGTERM)
    deployed.worker.wait(60)
    wait_for(lambda: not any(Path(f"/proc/{process}").exists() for process in left), "processes to end", 15)


def test_the_example_of_schedules_retries_and_limits_is_accepted(deployed: Deployed, tmp_path: Path):
    text = (ROOT / "deployments/prefect.yaml").read_text()
    head, example = text.split("  # - <<", 1)
    (tmp_path / "prefect.yaml").write_text(head + re.sub(r"(?m)^  # ", "  ", "  # - <<" + example))
    arguments = ("--no-prompt", "deploy", "--prefect-file", str(tmp_path / "prefect.yaml"), "--name", "nightly")
    assert deployed.prefect("work-queue", "create", "urgent", "--pool", "compass", "--priority", "1").returncode == 0
    done = deployed.prefect(*arguments)
    assert done.returncode == 0, done.stdout
    found = deployed.api("/deployments/name/compass/nightly")
    assert len(found["schedules"]) == 2 and found["work_queue_name"] == "urgent"
    assert found["global_concurrency_limit"]["limit"] == 2
    environ = found["job_variables"]["env"]
    assert environ["PREFECT_FLOWS_DEFAULT_RETRIES"] == "2" and "PREFECT_LOGGING_EXTRA_LOGGERS" in environ


def children_of(process: int) -> dict[int, str]:
    """Descendants of a process that live, with their command lines."""
    shown = subprocess.run(["ps", "-eo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 3) for line in shown.splitlines()]
    children = {int(pid): args for pid, parent, state, args in rows if int(parent) == process and state[0] != "Z"}
    return children | {pid: args for child in children for pid, args in children_of(child).items()}
