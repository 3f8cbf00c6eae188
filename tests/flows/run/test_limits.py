"""How many requests run at once and how many a second, as configured: per task, per model, per process."""

from typing import Any

import pytest
from support.scripted_server import Call
from support.workspace import Workspace

from flows.terminal.cli import main

STAGE = """
from opencompass.partitioners import NaivePartitioner
from opencompass.runners import LocalRunner
infer = dict(
    partitioner=dict(type=NaivePartitioner),
    runner=dict(type=LocalRunner, max_num_workers={workers}, task=dict(type={task!r})),
)
"""
TASK, CONCURRENT = "OpenICLInferTask", "OpenICLInferConcurrentTask"
SECOND_MODEL = "models = models + [dict(models[0], abbr='second', path='second', batch_size=2, max_workers=2)]\n"


class Peaks:
    """The most requests in flight of each model."""

    def __init__(self, workspace: Workspace) -> None:
        self.most: dict[str, int] = {}
        self._server = workspace.server
        workspace.server.latency = 0.1
        workspace.server.decide = self._look

    def _look(self, call: Call) -> None:
        model = call.body["model"]
        self.most[model] = max(self.most.get(model, 0), self._server.in_flight_of(model))


def run(workspace: Workspace, rows: dict[str, int], extra: str = "", **model: Any) -> Peaks:
    peaks = Peaks(workspace)
    workspace.write(rows, extra=extra, **model)
    assert main([str(workspace.config), "--inline"]) == 0
    return peaks


def test_users_of_all_tasks_and_models_together(workspace: Workspace):
    stage = STAGE.format(workers=4, task=TASK).replace("type=LocalRunner", "type='LocalAPIRunner', concurrent_users=5")
    peaks = run(workspace, THREE, stage + SECOND_MODEL)
    assert set(peaks.most) == {"adder", "second"} and workspace.server.peak == 5


THREE = {"a": 16, "b": 16, "c": 16}


@pytest.mark.parametrize(
    ("workers", "task", "peak"),
    [(1, TASK, 4), (2, TASK, 8), (3, TASK, 12), (1, CONCURRENT, 6), (2, CONCURRENT, 6), (3, CONCURRENT, 6)],
)
def test_batch_size_holds_per_task_and_max_workers_per_model(workspace: Workspace, workers: int, task: str, peak: int):
    assert run(workspace, THREE, STAGE.format(workers=workers, task=task), max_workers=6).most == {"adder": peak}


def test_free_slots_are_filled_from_the_next_datasets(workspace: Workspace):
    many_small = {f"d{number}": 2 for number in range(12)}
    extra = STAGE.format(workers=1, task=CONCURRENT).replace("NaivePartitioner)", "NaivePartitioner, n=12)")
    assert run(workspace, many_small, extra, max_workers=8).most == {"adder": 8}


@pytest.mark.parametrize(
    ("task", "peaks"), [(TASK, {"adder": 4, "second": 2}), (CONCURRENT, {"adder": 6, "second": 2})]
)
def test_two_models_at_one_address_keep_their_own_caps(workspace: Workspace, task: str, peaks: dict[str, int]):
    extra = STAGE.format(workers=2, task=task) + SECOND_MODEL
    assert run(workspace, {"a": 24}, extra, max_workers=6).most == peaks


@pytest.mark.parametrize("task", [TASK, CONCURRENT])
def test_query_per_second_is_shared_by_all_tasks_of_a_process(workspace: Workspace, task: str):
    run(workspace, THREE, STAGE.format(workers=3, task=task), query_per_second=40)
    times = sorted(call.at for call in workspace.server.calls)
    assert len(times) == 48
    assert times[-1] - times[0] >= 47 / 40 - 0.1
    assert max(sum(start <= time < start + 0.25 for time in times) for start in times) <= 0.25 * 40 + 3


def test_without_a_rate_nothing_is_held_back(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    run(workspace, {"a": 40})
    assert "in flight" not in capsys.readouterr().err
