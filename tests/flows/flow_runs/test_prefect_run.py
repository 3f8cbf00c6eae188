"""A whole evaluation as Prefect flows, on the local server of its own that a run starts."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.judged_workspace import WATCHING, JudgedWorkspace
from support.scripted_server import Turn, failed
from support.workspace import Workspace, kill_group, make_workspace, stored

from flows.local_server.health import call
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import server_files

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment in which all tests of this file share one server."""
    environ = {"COMPASS_STATE_DIR": str(tmp_path_factory.mktemp("state"))}
    yield environ
    stop_own_server(server_files(environ))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace


def api(state: dict[str, str]) -> ApiAddress:
    address = own_address(server_files(state))
    assert address is not None
    return address


def find(state: dict[str, str], what: str, conditions: dict[str, Any]) -> list[dict[str, Any]]:
    """Records of the server: `flow_runs`, `task_runs` or `artifacts`."""
    return call(api(state), f"/{what}/filter", conditions).body


def flow_run(state: dict[str, str], workspace: Workspace) -> dict[str, Any]:
    """The newest flow run of the newest run folder."""
    identifier = workspace.read("run.json")["invocations"][-1]["flow_run_id"]
    return find(state, "flow_runs", {"flow_runs": {"id": {"any_": [identifier]}}})[0]


def stages(state: dict[str, str], parent: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Stage flow runs by their flow's name."""
    runs = find(state, "flow_runs", {"flow_runs": {"parent_flow_run_id": {"any_": [parent["id"]]}}})
    return {run["name"].split()[0]: run for run in runs}


def task_runs(state: dict[str, str], stage: dict[str, Any], count: int) -> dict[str, dict[str, Any]]:
    """Task runs of a stage by name; the server learns of them a moment after they end."""
    wanted = {"flow_runs": {"id": {"any_": [stage["id"]]}}}
    end = time.monotonic() + 60
    while True:
        runs = {run["name"]: run for run in find(state, "task_runs", wanted)}
        if sum(run["state_type"] in ("COMPLETED", "FAILED") for run in runs.values()) >= count:
            return runs
        assert time.monotonic() < end, f"only {list(runs)} were recorded"
        time.sleep(0.5)


def test_a_run_is_seen_with_its_stages_tasks_tags_and_artifacts(state: dict[str, str], workspace: Workspace):
    workspace.write({"sums": 6, "more": 3})
    done = workspace.run(str(workspace.config), environ=state)
    assert done.returncode == 0, done.stderr
    assert re.search(r"sums\s+\w+\s+accuracy\s+gen\s+100\.00", done.stdout)
    run = flow_run(state, workspace)
    assert run["name"] == f"my_eval {workspace.run_folder.name}"
    assert run["state_type"] == "COMPLETED" and workspace.run_folder.name in run["state"]["message"]
    assert {"model:adder", "dataset:sums", "dataset:more"} <= set(run["tags"])
    children = stages(state, run)
    assert {name: child["state_type"] for name, child in children.items()} == dict.fromkeys(
        ("infer", "eval", "viz"), "COMPLETED"
    )
    shard = task_runs(state, children["infer"], 1)["OpenICLInfer[adder/sums,adder/more]"]
    assert shard["tags"] == []  # each would be looked up among the server's limits before the first request
    kinds = {
        a["type"]: a
        for a in find(state, "artifacts", {"flow_runs": {"id": {"any_": [c["id"] for c in children.values()]}}})
    }
    assert "100.0" in str(kinds["table"]["data"]) and "progress" in kinds and "markdown" in kinds


def test_a_task_of_many_datasets_is_seen(state: dict[str, str], workspace: Workspace):
    workspace.write({f"sums{number}": 1 for number in range(120)})
    done = workspace.run(str(workspace.config), environ=state)
    assert done.returncode == 0, done.stderr
    children = stages(state, flow_run(state, workspace))
    for stage in ("infer", "eval"):
        [name] = task_runs(state, children[stage], 1)
        assert len(name) == 500 and name.endswith("…")


def test_scores_and_files_equal_those_of_an_inline_run(state: dict[str, str], workspace: Workspace):
    workspace.write({"sums": 6})
    assert workspace.run(str(workspace.config), environ=state).returncode == 0
    files = [folder_files(workspace.run_folder)]
    predictions = [stored(workspace.run_folder / "predictions/adder/sums.json")]
    assert workspace.run(str(workspace.config), "--inline").returncode == 0
    files.append(folder_files(workspace.run_folder))
    predictions.append(stored(workspace.run_folder / "predictions/adder/sums.json"))
    assert files[0] == files[1] and predictions[0] == predictions[1]


def folder_files(run_folder: Path) -> set[str]:
    """Names of what users look for; times and process ids in names are left out."""
    found = (path.relative_to(run_folder) for path in run_folder.rglob("*") if path.is_file())
    shown = (str(path) for path in found if not any(part.startswith(".") for part in path.parts))
    return {re.sub(r"\d{8}_\d{6}(_\d+)?", "TIME", name) for name in shown}


def test_a_resumed_run_takes_finished_shards_from_the_cache(state: dict[str, str], workspace: Workspace):
    workspace.write(
        {"good": 4, "bad": 40},
        extra=WATCHING.replace("type=NumWorkerPartitioner, num_worker=1", "type=NaivePartitioner"),
    )
    workspace.server.decide = lambda call: failed(500) if int(re.findall(r"\d+", call.last_user)[0]) >= 10 else None
    first = workspace.run(str(workspace.config), environ=state)
    assert first.returncode == 1 and "30 of 40" in first.stdout
    assert (
        flow_run(state, workspace)["state_type"] == "FAILED"
        and "30 of 40" in flow_run(state, workspace)["state"]["message"]
    )
    workspace.server.decide = None
    asked = workspace.server.requests
    assert workspace.run(str(workspace.config), "-r", environ=state).returncode == 0
    assert workspace.server.requests - asked == 30
    runs = task_runs(state, stages(state, flow_run(state, workspace))["infer"], 2)
    assert {name: run["state"]["name"] for name, run in runs.items()} == {
        "OpenICLInferConcurrent[adder/good]": "Cached",
        "OpenICLInferConcurrent[adder/bad]": "Completed",
    }
    third = workspace.run(str(workspace.config), "-r", environ=state)
    assert third.returncode == 0 and "infer" not in stages(state, flow_run(state, workspace))


def test_a_pair_is_scored_beside_the_running_inference(state: dict[str, str], workspace: Workspace):
    workspace.write({"early": 4, "late": 60}, extra=WATCHING, max_workers=4)
    workspace.server.latency = 0.25
    process = workspace.start(str(workspace.config), environ=state)
    end = time.monotonic() + 90
    while not (workspace.work_dir.exists() and (workspace.run_folder / "results/adder/early.json").exists()):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert not (workspace.run_folder / "predictions/adder/late.json").exists()
    assert process.communicate(timeout=60) and process.returncode == 0
    assert workspace.read("results/adder/late.json")["accuracy"] == 100.0


def test_judges_are_asked_beside_the_inference_and_once(state: dict[str, str], tmp_path: Path):
    workspace = JudgedWorkspace(tmp_path)
    with workspace.server:
        workspace.write_judged({"first": 3, "second": 20}, extra=WATCHING, query_per_second=1000)
        late = [f"What is {n} + {n + 1}?" for n in range(3, 20)]
        workspace.model = lambda call: Turn(until=lambda: workspace.asked > 0) if call.last_user in late else None
        for arguments in ([], ["-r", "-m", "eval"]):
            result = workspace.run(str(workspace.config), *arguments, environ=state)
            assert result.returncode == 0, result.stderr
        assert workspace.asked == 23
        assert workspace.read("results/adder/second.json")["accuracy"] == 100.0


def test_an_interrupt_is_seen_as_cancelled(state: dict[str, str], workspace: Workspace):
    workspace.write({"sums": 300})
    workspace.server.latency = 0.2
    process = workspace.start(str(workspace.config), environ=state)
    wait_for_requests(workspace, 8)
    process.send_signal(signal.SIGINT)
    started = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "--reuse" in errors
    assert time.monotonic() - started < 15
    assert flow_run(state, workspace)["state_type"] == "CANCELLED"


def test_kill_9_leaves_no_process_but_the_server_and_loses_nothing(state: dict[str, str], workspace: Workspace):
    workspace.write({"sums": 80})
    workspace.server.latency = 0.1
    process = workspace.start(str(workspace.config), environ=state)
    wait_for_requests(workspace, 20)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert processes_of_group(process.pid) == []
    assert workspace.run(str(workspace.config), "-r", environ=state).returncode == 0
    assert workspace.server.requests <= 80 + 4
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0


def test_a_lost_server_does_not_end_the_run(workspace: Workspace, tmp_path: Path):
    environ = {"COMPASS_STATE_DIR": str(tmp_path / "own-state")}
    workspace.write({"sums": 60})
    workspace.server.latency = 0.5
    process = workspace.start(str(workspace.config), environ=environ)
    try:
        wait_for_requests(workspace, 8)
        stop_own_server(server_files(environ))
        output, errors = process.communicate(timeout=180)
    finally:
        stop_own_server(server_files(environ))
        if process.poll() is None:
            kill_group(process)
    assert process.returncode == 0, errors
    assert "goes on without it" in errors and "100.00" in output
    assert workspace.server.requests <= 60 + 4


def test_a_configured_server_that_does_not_answer_is_bad_input(workspace: Workspace):
    workspace.write()
    done = workspace.run(str(workspace.config), environ={"PREFECT_API_URL": "http://127.0.0.1:9/api"})
    assert done.returncode == 2
    assert "http://127.0.0.1:9/api" in done.stderr and "--inline" in done.stderr and "Traceback" not in done.stderr
    assert not workspace.work_dir.exists()


def wait_for_requests(workspace: Workspace, count: int) -> None:
    end = time.monotonic() + 120
    while workspace.server.requests < count:
        assert time.monotonic() < end, "the run did not begin to ask"
        time.sleep(0.02)


def processes_of_group(group: int) -> list[str]:
    """Command lines of what still lives in a process group."""
    time.sleep(0.5)
    shown = subprocess.run(["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = (line.split(None, 2) for line in shown.splitlines())
    return [row[2] for row in rows if row[0] == str(group) and not row[1].startswith("Z")]
