"""Whole runs whose tasks are done by workers of Dask."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import LocalCluster
from support.workspace import ROOT, Workspace, make_workspace

from flows.local_server.settings import cli_settings
from flows.prefect_api.server import start_own_server

pytestmark = [pytest.mark.slow, pytest.mark.serial]

GUIDE = (ROOT / "docs/clusters.md").read_text()
CANARY = "canary-of-dask-runs-2203-zqx"
STAGES = """
runner = dict(type='DaskRunner', poll_interval=0.2, max_num_workers=3, {arguments})
infer = dict(
    partitioner=dict(type='NumWorkerPartitioner', num_worker=3, num_split=3, min_task_size=1),
    runner=dict(runner, task=dict(type='OpenICLInferTask')),
)
eval = dict(runner=dict(runner, task=dict(type='OpenICLEvalTask')))
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace


@pytest.fixture
def dask() -> Iterator[Any]:
    with LocalCluster(n_workers=1, threads_per_worker=3, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster


def test_one_word_has_a_run_done_by_dask_on_this_machine(workspace: Workspace):
    workspace.write({"sums": 9, "more": 5}, key=CANARY)
    done = workspace.run(str(workspace.config), "--inline", "--runner", "dask", "--max-num-workers", "3")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("100.00 ± 0.00") == 2 and "distributed" not in done.stderr
    assert {call.key for call in workspace.server.calls} == {CANARY} and workspace.server.requests == 14
    jobs = [(workspace.run_folder / f".jobs/{stage}.jsonl").read_text() for stage in ("infer", "eval")]
    assert all('"id": "compass-' in text and '"ended": "done"' in text for text in jobs)
    written = [path for path in workspace.folder.rglob("*") if path.is_file() and path != workspace.config]
    assert [path for path in written if CANARY in path.read_text(errors="replace")] == []


def test_an_interrupt_ends_the_jobs_and_leaves_nothing(workspace: Workspace):
    workspace.write({"sums": 200}, key=CANARY)
    workspace.server.latency = 0.3
    run = workspace.start(str(workspace.config), "--inline", "--runner", "dask", "--max-num-workers", "3")
    until(lambda: workspace.server.requests >= 12)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert run.returncode == 130 and "everything answered is saved" in errors and "distributed" not in errors
    until(lambda: jobs_of(workspace) == [])
    assert list(workspace.work_dir.glob(".compass-variables")) == []


def test_a_killed_run_leaves_no_job_on_the_cluster_and_goes_on(workspace: Workspace, dask: Any):
    workspace.write({"sums": 90}, extra=STAGES.format(arguments=f"address={dask.scheduler_address!r}"))
    workspace.server.latency = 0.2
    run = workspace.start(str(workspace.config), "--inline")
    until(lambda: workspace.server.requests >= 24)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    until(lambda: jobs_of(workspace) == [])
    asked, workspace.server.latency = workspace.server.requests, 0.0
    again = workspace.run(str(workspace.config), "--inline", "-r")
    assert again.returncode == 0, again.stderr
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    assert asked < 90 and workspace.server.requests <= 90 + 3 * 4, "what was in flight is asked again, no more"


def test_a_task_that_fails_for_good_says_why(workspace: Workspace, dask: Any):
    workspace.write(
        {"sums": 3},
        extra="models[0].update(type='own.Dies')"
        + STAGES.format(arguments=f"address={dask.scheduler_address!r}, retry=1"),
    )
    (workspace.folder / "own.py").write_text(
        "import os\nfrom opencompass.models import OpenAISDK\n\nclass Dies(OpenAISDK):\n"
        "    async def generate(self, requests, slots=None):\n"
        "        print('the last words', flush=True)\n        os._exit(41)\n        yield\n"
    )
    done = workspace.run(str(workspace.config), "--inline")
    assert done.returncode == 1
    assert "exit status 41" in done.stdout and "the last words" in done.stdout


def test_evaluations_are_tasks_of_a_flow_of_ones_own(workspace: Workspace, dask: Any, prefect_state: dict[str, str]):
    example = next(block for block in re.findall(r"(?s)```python\n(.*?)```", GUIDE) if "DaskTaskRunner" in block)
    flow = workspace.folder / "night.py"
    flow.write_text(example.replace("tcp://head:8786", str(dask.scheduler_address)))
    first = workspace.write({"sums": 4})
    second = shutil.copy(first, workspace.folder / "second.py")
    with start_own_server(prefect_state) as server:
        address = server.wait()
        assert address is not None, server.problem
        environ = {**os.environ, **cli_settings(address), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, str(flow), str(first), str(second)],
            env=environ, cwd=workspace.folder, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("'adder': '100.00'") == 2 and workspace.server.requests == 8


def jobs_of(workspace: Workspace) -> list[str]:
    """Processes that work on a file of the workspace's runs."""
    found: list[str] = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = process.read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(workspace.work_dir) in words:
            found.append(words)
    return found


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)
