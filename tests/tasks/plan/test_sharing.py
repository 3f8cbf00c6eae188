"""Jobs that run at once keep a model's limits together, as far as whole requests allow it."""

import pytest

from tasks.plan.sharing import per_job
from tasks.spec.shard import InFlight


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
