"""Jobs that run at once keep a model's limits together, as far as whole requests allow it."""

from pathlib import Path

import pytest
from support.workspace import make_workspace

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.spec.shard import InFlight
from tasks.spec.shared_limits import per_job


@pytest.mark.parametrize(
    ("per_second", "jobs", "each"),
    [(None, 4, None), (10, 1, 10), (10, 4, 2), (12, 4, 3), (3, 8, 1), (0.5, 1, 0.5), (0.5, 4, 0.5), (7.5, 2, 3)],
)
def test_rate(per_second: float | None, jobs: int, each: float | None):
    assert per_job(InFlight(scope="model", limit=8, query_per_second=per_second), jobs).query_per_second == each


@pytest.mark.parametrize(("limit", "jobs", "each"), [(32, 1, 32), (32, 4, 8), (32, 5, 6), (2, 8, 1)])
def test_max_workers_of_a_model_are_divided(limit: int, jobs: int, each: int):
    assert per_job(InFlight(scope="model", limit=limit), jobs).limit == each


def test_batch_size_holds_per_task():
    assert per_job(InFlight(scope="task", limit=8, query_per_second=8), 4) == InFlight(
        scope="task", limit=8, query_per_second=2
    )


FAR_RUNNER = """
class FarRunner:
    def __init__(self, max_num_workers=32):
        self.max_num_workers = max_num_workers
"""
STAGE = """
from opencompass.partitioners import NaivePartitioner
infer = dict(
    partitioner=dict(type=NaivePartitioner),
    runner=dict(type={runner!r}, max_num_workers={workers}, task=dict(type={task!r})),
)
"""
TASK, CONCURRENT = "OpenICLInferTask", "OpenICLInferConcurrentTask"


@pytest.mark.parametrize(
    ("runner", "workers", "task", "each"),
    [
        ("LocalRunner", 3, TASK, InFlight(scope="task", limit=4, query_per_second=9)),
        ("LocalRunner", 3, CONCURRENT, InFlight(scope="model", limit=20, query_per_second=9)),
        ("far.FarRunner", 3, TASK, InFlight(scope="task", limit=4, query_per_second=3)),
        ("far.FarRunner", 3, CONCURRENT, InFlight(scope="model", limit=6, query_per_second=3)),
        ("far.FarRunner", 1, CONCURRENT, InFlight(scope="model", limit=20, query_per_second=9)),
        ("far.FarRunner", 32, CONCURRENT, InFlight(scope="model", limit=5, query_per_second=2)),
    ],
)
def test_shards_carry_their_share(tmp_path: Path, runner: str, workers: int, task: str, each: InFlight):
    (tmp_path / "far.py").write_text(FAR_RUNNER)
    workspace = make_workspace(tmp_path)
    four = {f"d{number}": 3 for number in range(4)}
    extra = STAGE.format(runner=runner, workers=workers, task=task)
    config = workspace.write(four, extra=extra, query_per_second=9, max_workers=20)
    shards = make_plan(RunRequest(config=str(config))).infer_shards
    assert [shard.in_flight for shard in shards] == [each] * 4
