"""Runs on one Prefect server keep a model's query_per_second together."""

from collections.abc import Sequence

import pytest
from support.workspace import Workspace

from flows.local_server.health import call
from flows.local_server.start import own_address
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PER_SECOND = 8
SAMPLES = 40


def test_two_processes_keep_one_rate(prefect_state: dict[str, str], workspace: Workspace):
    workspace.write({"sums": SAMPLES}, query_per_second=PER_SECOND)
    runs = [workspace.start(str(workspace.config), environ=prefect_state) for _ in range(2)]
    endings = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], endings
    times = sorted(call.at for call in workspace.server.calls)
    assert len(times) == 2 * SAMPLES
    assert most_within(1.0, times) <= 2 * PER_SECOND
    assert PER_SECOND / 2 <= len(times) / (times[-1] - times[0]) <= 1.1 * PER_SECOND
    (limit,) = [limit for limit in limits(prefect_state) if limit["name"].endswith("-adder-8-per-second")]
    assert limit["slot_decay_per_second"] == PER_SECOND


def most_within(seconds: float, times: Sequence[float]) -> int:
    """The most calls that came within so many seconds."""
    return max(sum(start <= time < start + seconds for time in times) for start in times)


def limits(state: dict[str, str]) -> list[dict]:
    address = own_address(server_files(state))
    assert address is not None
    return call(address, "/v2/concurrency_limits/filter", {}).body
