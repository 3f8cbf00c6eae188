"""DLC, VOLC and RJOB with stand-ins for their tools, which really run the jobs."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.clouds import VOLC_FILE, Cloud, make_cloud

from blocks.clusters.dlc.runner import DLCRunner
from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from blocks.clusters.rjob.runner import RJOBRunner
from blocks.clusters.volc.runner import VOLCRunner

SAY = "import os; print('working', flush=True); print('key is', len(os.environ.get('SERVICE_KEY', '')))"
QUICK = {"poll_seconds": 0.1}
SECRET = "canary-of-the-service-zqx"


@pytest.fixture
def cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    cloud = make_cloud(tmp_path / "cloud")
    monkeypatch.setenv("PATH", cloud.environ["PATH"])
    monkeypatch.setattr("blocks.clusters.cloud._SECONDS_BETWEEN_SUBMISSIONS", 0.0)
    return cloud


@pytest.fixture(params=["dlc", "volc", "rjob"])
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Cluster:
    (tmp_path / "task.yaml").write_text(VOLC_FILE)
    runners: dict[str, DLCRunner | VOLCRunner | RJOBRunner] = {
        "dlc": DLCRunner({"workspace_id": "w", "worker_image": "i", **QUICK}),
        "volc": VOLCRunner({"volcano_config_path": str(tmp_path / "task.yaml"), **QUICK}, "q"),
        "rjob": RJOBRunner({"task_id": "t", **QUICK}),
    }
    return runners[request.param].cluster(tmp_path / "runs" / "20260101_000000")


def job(tmp_path: Path, program: str = SAY, name: str = "OpenICLInfer[m/d]") -> Job:
    command = (sys.executable, "-c", program)
    log = tmp_path / "runs" / "20260101_000000" / "logs" / "d.out"
    return Job("k1", name, "infer", command, tmp_path, log, environment={"SERVICE_KEY": SECRET})


def ended(cluster: Cluster, jobs: dict[str, Job], seen: list[str] | None = None) -> dict[str, JobReport]:
    """The reports when no job waits or runs any more."""
    end = time.monotonic() + 30
    while True:
        reports = cluster.reports(jobs)
        if seen is not None:
            seen += [report.phase for report in reports.values()]
        if all(report.phase not in (JobPhase.WAITING, JobPhase.RUNNING) for report in reports.values()):
            return reports
        assert time.monotonic() < end
        time.sleep(0.1)


def test_a_job_runs_with_its_variables_and_its_output_comes_back(cloud: Cloud, cluster: Cluster, tmp_path: Path):
    cloud.behave(waits=3, unreadable=2)
    work = job(tmp_path)
    [job_id] = cluster.submit([work], 4)
    [file] = (tmp_path / "runs" / ".compass-variables").iterdir()
    assert file.stat().st_mode & 0o077 == 0 and SECRET in file.read_text()
    seen: list[str] = []
    assert ended(cluster, {job_id: work}, seen)[job_id].phase is JobPhase.DONE
    assert seen[:3] == ["waiting"] * 3
    assert work.log.read_text().splitlines()[-2:] == ["working", f"key is {len(SECRET)}"]
    assert SECRET.encode() not in cloud.written() and str(file).encode() in cloud.written()
    cluster.close()
    assert not file.exists() and not file.parent.exists()


def test_a_failed_job_is_explained_with_the_end_of_its_log(cloud: Cloud, cluster: Cluster, tmp_path: Path):
    work = job(tmp_path, "print('before', flush=True); raise SystemExit('no such model')")
    [job_id] = cluster.submit([work], 4)
    report = ended(cluster, {job_id: work})[job_id]
    assert report.phase is JobPhase.FAILED
    text = cluster.explain(job_id, work, report)
    assert job_id in text and "failed" in text.lower() and text.endswith("before\nno such model")
    again = replace(work, command=(sys.executable, "-c", "print('the second')"))
    [other] = cluster.submit([again], 4)
    assert ended(cluster, {other: again})[other].phase is JobPhase.DONE
    assert work.log.read_text().splitlines() == ["before", "no such model", "the second"]


def test_a_job_that_cannot_open_its_log_is_explained_with_what_the_cloud_has_kept(
    cloud: Cloud, cluster: Cluster, tmp_path: Path
):
    work = job(tmp_path)
    nowhere = replace(work, log=Path("/proc/nowhere/d.out"))
    [job_id] = cluster.submit([nowhere], 4)
    report = ended(cluster, {job_id: work})[job_id]
    said = cluster.explain(job_id, work, report)
    assert report.phase is JobPhase.FAILED and (job_id.startswith("oc-") or "/proc/nowhere" in said)


def test_a_job_that_is_cancelled_ends_with_its_children(cloud: Cloud, cluster: Cluster, tmp_path: Path):
    child = tmp_path / "child"
    program = f"import subprocess, sys; subprocess.run(['sh', '-c', 'echo $$ > {child}; sleep 60; true'])"
    work = job(tmp_path, program)
    [job_id] = cluster.submit([work], 4)
    wait_for(lambda: child.exists() and child.read_text() != "")
    cluster.cancel([job_id])
    wait_for(lambda: not Path(f"/proc/{child.read_text().strip()}/cmdline").exists() or zombie(child))
    assert ended(cluster, {job_id: work})[job_id].phase is JobPhase.CANCELLED
    cluster.cancel([job_id, "unknown"])


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def zombie(child: Path) -> bool:
    return Path(f"/proc/{child.read_text().strip()}/cmdline").read_bytes() == b""


def test_a_submission_that_is_always_refused_says_why_and_a_lost_job_is_unknown(
    cloud: Cloud, cluster: Cluster, tmp_path: Path
):
    cloud.behave(refused=5)
    work = job(tmp_path)
    with pytest.raises(SubmissionRefused, match=r"busy|quota"):
        cluster.submit([work], 4)
    [program] = {call[0] for call in cloud.calls()}
    assert len(cloud.calls()) == (1 if program == "rjob" else 5)  # rjob's are tried again by the run, later
    assert cluster.reports({"never": work})["never"].phase is JobPhase.UNKNOWN
    (cloud.folder / "bin" / program).unlink()
    with pytest.raises(SchedulerSilent, match=program):
        cluster.reports({"never": work})


def test_unreadable_answers_are_borne_for_a_while(
    cloud: Cloud, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("blocks.clusters.cloud._MOST_UNREADABLE", 3)
    cloud.behave(waits=9, unreadable=9)
    work = job(tmp_path)
    [job_id] = cluster.submit([work], 4)
    phases = [cluster.reports({job_id: work})[job_id].phase for _ in range(3)]
    assert phases == ["waiting", "waiting", "unknown"]


def test_a_restarted_run_finds_its_jobs_and_removes_their_file(cloud: Cloud, tmp_path: Path):
    runner = DLCRunner({"workspace_id": "w", "worker_image": "i", **QUICK})
    run_folder, work = tmp_path / "runs" / "20260101_000000", job(tmp_path)
    [job_id] = runner.cluster(run_folder).submit([work], 1)
    restarted = runner.cluster(run_folder)
    restarted.submit([replace(work, key="k2", environment={"OTHER": "it's new"})], 1)
    [file] = (tmp_path / "runs" / ".compass-variables").iterdir()
    assert SECRET in file.read_text() and "OTHER" in file.read_text()
    assert ended(restarted, {job_id: work})[job_id].phase is JobPhase.DONE
    restarted.close()
    assert not (tmp_path / "runs" / ".compass-variables").exists()


def test_conda_env_name_alone_activates_the_environment(cloud: Cloud, tmp_path: Path):
    settings = {"workspace_id": "w", "worker_image": "i", "conda_env_name": "compass", **QUICK}
    cluster = DLCRunner(settings).cluster(tmp_path / "runs" / "20260101_000000")
    work = job(tmp_path, "import os, sys; print(os.environ['CONDA_DEFAULT_ENV'], sys.prefix)")
    [job_id] = cluster.submit([work], 1)
    assert ended(cluster, {job_id: work})[job_id].phase is JobPhase.DONE, work.log.read_text()
    assert work.log.read_text() == f"compass {sys.prefix}\n"
