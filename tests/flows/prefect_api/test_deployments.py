"""Deployments on a server and a process worker of their own, which `compass deploy --worker` starts."""

import json
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.deployments import Deployed, children_of, running_deployments, wait_for
from support.workspace import CONFIG, ROOT, Workspace, make_workspace

from tasks.spec.storage.run_folder import read_json

pytestmark = [pytest.mark.slow, pytest.mark.serial]

NAMES = {
    *("compass/eval", "compass/infer", "compass/score", "compass/viz"),
    *("infer/stage", "eval/stage", "viz/stage"),
}


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    with running_deployments(tmp_path_factory.mktemp("deployed")) as deployed:
        yield deployed


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
        assert folder.name in run["state"]["message"] and run["name"].endswith(folder.name)
        assert {"compass", "model:adder", "dataset:sums"} <= set(run["tags"])
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
