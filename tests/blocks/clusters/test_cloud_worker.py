"""A worker of a cloud: the command of a flow run becomes a job, whose secrets are in no command line."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from prefect.client.schemas.objects import FlowRun
from prefect.exceptions import InfrastructureError, InfrastructureNotFound
from prefect.settings import PREFECT_LOGGING_TO_API_ENABLED, temporary_settings
from support.clouds import Cloud, make_cloud

from blocks.clusters.worker import DLCWorker

PASSWORD = "team:canary-of-the-server-zqx"
SAY = "import os; print(os.environ['PREFECT__FLOW_RUN_ID'], os.environ['PREFECT_API_AUTH_STRING'][:5], os.getcwd())"


@pytest.fixture
def cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cloud]:
    cloud = make_cloud(tmp_path / "cloud")
    monkeypatch.setenv("PATH", cloud.environ["PATH"])
    monkeypatch.setenv("OPENAI_API_KEY", "canary-of-the-model-zqx")
    with temporary_settings({PREFECT_LOGGING_TO_API_ENABLED: False}):  # there is no server
        yield cloud


def configured(worker: DLCWorker, flow_run: FlowRun, folder: Path, program: str) -> Any:
    settings = {"workspace_id": "w", "worker_image": "i", "poll_seconds": 0.1}
    configuration = worker.job_configuration(
        command=f'{sys.executable} -c "{program}"',
        env={"PREFECT_API_AUTH_STRING": PASSWORD},
        working_dir=folder,
        aliyun_cfg=settings,
        forwarded=["*_API_KEY"],
    )
    configuration.prepare_for_flow_run(flow_run)
    return configuration


def run_of(number: int) -> FlowRun:
    return FlowRun(id=uuid4(), flow_id=uuid4(), name=f"run-{number}", run_count=number)


async def test_a_flow_run_is_a_job_with_its_variables(cloud: Cloud, tmp_path: Path):
    worker, flow_run = DLCWorker(work_pool_name="p"), run_of(0)
    configuration = configured(worker, flow_run, tmp_path, SAY)
    started: list[Any] = []

    class Status:
        def started(self, value: Any) -> None:
            started.append(value)

    result = await worker.run(flow_run, configuration, Status())  # type: ignore[arg-type]
    assert started == [result.identifier] and result.status_code == 0
    output = (tmp_path / "flow-run-logs" / f"{flow_run.id}.out").read_text()
    assert output == f"{flow_run.id} team: {tmp_path}\n"
    assert b"canary" not in cloud.written()
    assert [call[6] for call in cloud.calls("dlc", "submit")] == [f"prefect-{flow_run.id}-0"]
    assert not (tmp_path / "flow-run-logs" / ".compass-variables").exists()


async def test_a_job_is_killed_from_outside_once(cloud: Cloud, tmp_path: Path):
    worker, flow_run = DLCWorker(work_pool_name="p"), run_of(1)
    configuration = configured(worker, flow_run, tmp_path, "import time; time.sleep(60)")
    cluster = configuration.cluster()
    [job_id] = cluster.submit([configuration.job()], 1)
    await asyncio.sleep(0.5)
    await worker.kill_infrastructure(job_id, configuration)
    with pytest.raises(InfrastructureNotFound):
        await worker.kill_infrastructure(job_id, configuration)


async def test_a_refusal_is_told(cloud: Cloud, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("blocks.clusters.cloud._SECONDS_BETWEEN_SUBMISSIONS", 0.0)
    cloud.behave(refused=9)
    worker, flow_run = DLCWorker(work_pool_name="p"), run_of(2)
    with pytest.raises(InfrastructureError, match="busy"):
        await worker.run(flow_run, configured(worker, flow_run, tmp_path, SAY))
