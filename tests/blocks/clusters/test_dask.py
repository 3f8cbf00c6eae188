"""Jobs on a real, small cluster of Dask: its scheduler and its workers are processes of this machine."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from blocks.clusters.dask import cluster as dask_cluster
from blocks.clusters.dask.cluster import DaskCluster
from blocks.clusters.dask.runner import DaskRunner
from blocks.clusters.jobs import Job, JobPhase, JobReport, SubmissionRefused

CANARY = "canary-of-dask-5519-zqx"
ENDED = (JobPhase.DONE, JobPhase.FAILED, JobPhase.UNKNOWN)


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    with LocalCluster(
        n_workers=1, threads_per_worker=4, dashboard_address="127.0.0.1:0", resources={"GPU": 2}
    ) as cluster:
        yield cluster


@pytest.fixture
def cluster(dask: Any, tmp_path: Path) -> Iterator[DaskCluster]:
    cluster = DaskRunner(address=dask.scheduler_address, poll_interval=0.1).cluster(tmp_path / "run")
    assert isinstance(cluster, DaskCluster)
    yield cluster
    cluster.close()


def job(folder: Path, program: str, **more: Any) -> Job:
    command = (sys.executable, "-c", program)
    (folder / "logs").mkdir(exist_ok=True)
    return Job(
        key="k", name="work", stage="infer", command=command, folder=folder, log=folder / "logs" / "job.out", **more
    )


def until(condition: Callable[[], Any], seconds: float = 30) -> Any:
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def phase_of(cluster: DaskCluster, job_id: str, work: Job) -> JobReport:
    return cluster.reports({job_id: work})[job_id]


def end_of(cluster: DaskCluster, work: Job) -> tuple[str, JobReport]:
    [job_id] = cluster.submit([work], 1)
    until(lambda: phase_of(cluster, job_id, work).phase in ENDED)
    return job_id, phase_of(cluster, job_id, work)


def test_a_job_gets_its_secrets_past_the_scheduler(dask: Any, cluster: DaskCluster, tmp_path: Path):
    program = "import os, time; print(os.environ['KEY'][::-1], os.getcwd(), flush=True); time.sleep(1)"
    work = job(tmp_path, program, environment={"KEY": CANARY})
    [job_id] = cluster.submit([work], 1)
    until(lambda: phase_of(cluster, job_id, work).phase is JobPhase.RUNNING)
    [file] = tmp_path.glob(".compass-variables/*")
    assert file.stat().st_mode & 0o777 == 0o600
    with Client(dask, set_as_default=False) as client:
        assert CANARY not in known_to_scheduler(client) and job_id in known_to_scheduler(client)
        until(lambda: phase_of(cluster, job_id, work).phase is JobPhase.DONE)
        assert CANARY not in str([client.get_scheduler_logs(), client.get_worker_logs(), client.get_events()])
    assert work.log.read_text() == f"{CANARY[::-1]} {tmp_path}\n"
    cluster.close()
    assert not file.exists()


def known_to_scheduler(client: Any) -> str:
    """All that the scheduler holds of its tasks, pickled work included."""
    return client.run_on_scheduler(
        lambda dask_scheduler: str([(task.key, vars(task.run_spec)) if hasattr(task.run_spec, "__dict__") else
                                    (task.key, task.run_spec) for task in dask_scheduler.tasks.values()])
    )  # fmt: skip


def test_a_failure_is_told_with_the_end_of_the_log(cluster: DaskCluster, tmp_path: Path):
    work = job(tmp_path, "print('last words'); raise SystemExit(3)")
    job_id, report = end_of(cluster, work)
    assert report == JobReport(JobPhase.FAILED, "exit status 3")
    told = cluster.explain(job_id, work, report)
    assert "exit status 3" in told and told.endswith("last words")
    elsewhere = replace(work, folder=tmp_path / "not-mounted-there")
    job_id, report = end_of(cluster, elsewhere)
    assert report.phase is JobPhase.FAILED and "not-mounted-there" in cluster.explain(job_id, elsewhere, report)


def test_variables_that_the_workers_machine_does_not_see_are_missed(cluster: DaskCluster, tmp_path: Path):
    work = job(tmp_path, "pass", num_gpus=2, environment={"KEY": CANARY})
    first = job(tmp_path, "import time; time.sleep(2)", num_gpus=2)
    cluster.submit([first], 1)
    [job_id] = cluster.submit([work], 1)  # waits for the GPUs
    assert phase_of(cluster, job_id, work).phase is JobPhase.WAITING
    [file] = tmp_path.glob(".compass-variables/*")
    file.unlink()
    until(lambda: phase_of(cluster, job_id, work).phase is JobPhase.FAILED)
    assert "cannot be read on this machine" in cluster.explain(job_id, work, phase_of(cluster, job_id, work))


@pytest.mark.parametrize("how", ["cancelled", "disconnected"])
def test_a_job_that_nobody_wants_ends_with_its_children(cluster: DaskCluster, tmp_path: Path, how: str):
    program = (
        "import subprocess as s, pathlib as p, os; c = s.Popen(['sleep', '1000']);"
        "p.Path('pids').write_text(f'{os.getpid()} {c.pid} .'); c.wait()"
    )
    work = job(tmp_path, program)
    [job_id] = cluster.submit([work], 1)
    pids = tmp_path / "pids"
    until(lambda: pids.exists() and pids.read_text().endswith("."))
    if how == "cancelled":
        cluster.cancel([job_id])
        assert phase_of(cluster, job_id, work).phase is JobPhase.UNKNOWN
    else:
        cluster.close()
    until(lambda: not any(lives(int(pid)) for pid in pids.read_text().split()[:2]), 10)


def lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_gpus_that_no_worker_offers_are_refused(cluster: DaskCluster, tmp_path: Path):
    with pytest.raises(SubmissionRefused, match="no worker of the Dask cluster offers 4 GPUs"):
        cluster.submit([job(tmp_path, "pass", num_gpus=4)], 1)


def test_a_scheduler_that_does_not_answer_may_answer_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(dask_cluster, "_SECONDS_TO_CONNECT", 1)
    cluster = DaskRunner(address="tcp://127.0.0.1:9").cluster(tmp_path / "run")
    with pytest.raises(SubmissionRefused, match="tcp://127.0.0.1:9") as refused:
        cluster.submit([job(tmp_path, "pass")], 1)
    assert refused.value.temporary


def test_without_an_address_this_process_is_the_cluster(tmp_path: Path):
    cluster: Any = DaskRunner(max_num_workers=2).cluster(tmp_path / "run")
    try:
        job_id, report = end_of(cluster, work := job(tmp_path, "import os; print(os.getppid())"))
        assert report.phase is JobPhase.DONE, cluster.explain(job_id, work, report)
    finally:
        cluster.close()


def test_a_class_that_starts_no_cluster_is_told(tmp_path: Path):
    runner = DaskRunner(cluster_class="distributed.NoSuchCluster")
    with pytest.raises(SubmissionRefused, match="distributed.NoSuchCluster cannot be started: .*no attribute"):
        runner.cluster(tmp_path / "run").submit([job(tmp_path, "pass")], 1)


def test_what_the_runner_needs():
    assert DaskRunner().needs() == []
    [both, missing] = DaskRunner(address="tcp://head:1", cluster_class="no_such_package.Cluster").needs()
    assert "address" in both.message and "no_such_package" in missing.message
    assert os.environ.get("KEY") is None
