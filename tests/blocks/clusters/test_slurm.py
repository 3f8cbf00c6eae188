"""What is said to Slurm's commands, and what is made of their answers; `tests/integration/slurm` asks a real one."""

import logging
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.stand_in_slurm import StandInSlurm

from blocks.clusters.jobs import Job, JobPhase, JobReport, SubmissionRefused
from blocks.clusters.slurm.batch import SlurmCluster, batch_script
from blocks.clusters.slurm.runner import SlurmRunner, SlurmSequentialRunner


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StandInSlurm:
    slurm = StandInSlurm(tmp_path / "slurm")
    monkeypatch.setenv("PATH", slurm.path)
    return slurm


def cluster(**runner: Any) -> SlurmCluster:
    return SlurmCluster(SlurmRunner(**runner), "20261129_120000")


def job(folder: Path, number: int = 0, **fields: Any) -> Job:
    defaults = {"command": ("echo", "it's", str(number)), "folder": folder, "log": folder / f"log of {number}.out"}
    return Job(f"key{number}", f"OpenICLInfer[m/d_{number}]", "infer", **{**defaults, **fields})


def run_element(jobs: Sequence[Job], index: int) -> int:
    """The exit status of the batch script in the place of Slurm's element `index`."""
    environ = {"SLURM_ARRAY_TASK_ID": str(index), "PATH": "/usr/bin:/bin"}
    return subprocess.run(["bash", "-c", batch_script(jobs)], env=environ, check=False).returncode


def test_a_submission_says_what_the_runner_says(slurm: StandInSlurm, tmp_path: Path):
    runner = {"partition": "gpu", "qos": "high", "extra_command": ["--time=1:00:00", "-x node1"]}
    jobs = [job(tmp_path, number, num_gpus=2) for number in range(3)]
    assert cluster(**runner).submit(jobs, 2) == ["1_0", "1_1", "1_2"]
    [call] = slurm.calls
    words = call.split()
    for wanted in ("--array=0-2%2", "-p gpu", "--qos=high", "--gres=gpu:2", "--time=1:00:00", "-x node1", "--requeue"):
        assert wanted in call, call
    assert words[words.index("-J") + 1] == "compass-infer-20261129_120000"
    assert cluster(**runner).submit(jobs[:1], 1) == ["2"]
    assert "-J OpenICLInfer[m/d_0]" in slurm.calls[-1] and "--array" not in slurm.calls[-1]


def test_a_submission_is_known_by_its_comment(slurm: StandInSlurm, tmp_path: Path):
    cluster().submit([job(tmp_path, submission="of3"), job(tmp_path, 1, submission="of3")], 1)
    assert "--comment=of3" in slurm.calls[-1]
    (slurm.folder / "states").write_text("6|(null)\n7|of3\n7|of3\n8|of1\n9|whose\n")
    found = cluster().accepted({"of3": 3, "of1": 1, "never": 2})
    assert found == {"of3": ["7_0", "7_1", "7_2"], "of1": ["8"]}


def test_secrets_reach_jobs_through_the_environment_alone(slurm: StandInSlurm, tmp_path: Path):
    (slurm.folder / "sbatch").write_text(f"#!/bin/sh\nenv > {tmp_path}/environment\ncat > {tmp_path}/script; echo 7\n")
    one = job(tmp_path, environment={"COMPASS_SECRET_M_KEY": "canary-7781"})
    cluster().submit([one], 1)
    assert "COMPASS_SECRET_M_KEY=canary-7781" in (tmp_path / "environment").read_text()
    assert "canary-7781" not in (tmp_path / "script").read_text() and "canary" not in repr(one)


def test_a_run_inside_a_job_submits_jobs_not_steps(
    slurm: StandInSlurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (slurm.folder / "sbatch").write_text(f"#!/bin/sh\nenv > {tmp_path}/environment\ncat > /dev/null; echo 7\n")
    for name in ("SLURM_JOB_ID", "SLURM_MEM_PER_NODE", "SLURM_CONF", "CUDA_VISIBLE_DEVICES", "PREFECT_API_URL"):
        monkeypatch.setenv(name, "set")
    cluster().submit([job(tmp_path)], 1)
    names = {line.partition("=")[0] for line in (tmp_path / "environment").read_text().splitlines()}
    assert "SLURM_CONF" in names
    assert not names & {"SLURM_JOB_ID", "SLURM_MEM_PER_NODE", "CUDA_VISIBLE_DEVICES", "PREFECT_API_URL"}


def test_each_element_runs_its_command_in_its_folder_with_its_log(tmp_path: Path):
    jobs = [job(tmp_path, 0), job(tmp_path, 1, command=("sh", "-c", "pwd; exit 3"))]
    assert [run_element(jobs, index) for index in (0, 1)] == [0, 3]
    assert jobs[0].log.read_text() == "it's 0\n" and jobs[1].log.read_text() == f"{tmp_path}\n"


def test_a_log_that_cannot_be_written_has_an_exit_status_of_its_own(slurm: StandInSlurm, tmp_path: Path):
    one = job(tmp_path, log=tmp_path / "absent" / "x.out")
    assert run_element([one], 0) == 74
    slurm.says("details", "JobState=FAILED Reason=NonZeroExitCode ExitCode=74:0")
    assert "all nodes see" in cluster().explain("1", one, JobReport(JobPhase.FAILED, "FAILED"))


def test_a_thousand_jobs_are_one_question(slurm: StandInSlurm, tmp_path: Path):
    states = ["RUNNING", "PENDING", "COMPLETED", "COMPLETING", "FAILED", "CANCELLED by 0", "NODE_FAIL", "REQUEUED"]
    jobs = {f"{array}_{index}": job(tmp_path) for array in (12, 15) for index in range(500)}
    slurm.says("states", "".join(f"{one}|{states[n % 8]}|None\n" for n, one in enumerate(jobs)))
    reports = cluster().reports(jobs)
    assert slurm.calls == ["squeue -h -r -t all -j 12,15 -o %i|%T|%r"]
    phases = [reports[one].phase for one in list(jobs)[:8]]
    assert phases == ["running", "waiting", "done", "running", "failed", "cancelled", "failed", "waiting"]


def test_what_squeue_has_forgotten_the_accounting_may_know(slurm: StandInSlurm, tmp_path: Path):
    jobs = {"12_0": job(tmp_path), "12_1": job(tmp_path)}
    slurm.says("states", "12_0|RUNNING|None\n")
    told = cluster()
    assert told.reports(jobs)["12_1"].phase is JobPhase.UNKNOWN
    assert [call.split()[0] for call in slurm.calls] == ["squeue", "sacct"]
    told.reports(jobs)
    assert [call.split()[0] for call in slurm.calls].count("sacct") == 1, "asked again without accounting"
    (slurm.folder / "sacct").write_text("#!/bin/sh\necho '12_1|OUT_OF_MEMORY|0:125'\n")
    assert cluster().reports(jobs)["12_1"] == JobReport(JobPhase.FAILED, "OUT_OF_MEMORY")


@pytest.mark.parametrize(
    ("state", "details", "words"),
    [
        ("OUT_OF_MEMORY", "", "--mem="),
        ("TIMEOUT", "", "--time="),
        ("PREEMPTED", "", "took its place"),
        ("FAILED", "JobState=FAILED ExitCode=127:0", "not there on its node"),
        ("FAILED", "JobState=FAILED ExitCode=0:9", "too little memory"),
        ("FAILED", "JobState=FAILED ExitCode=3:0", "exit status 3"),
        ("COMPLETED", "", "its results are not there"),
    ],
)
def test_failures_in_words(slurm: StandInSlurm, tmp_path: Path, state: str, details: str, words: str):
    slurm.says("details", details)
    one = job(tmp_path)
    one.log.write_text("first\nlast words\n")
    phase = JobPhase.DONE if state == "COMPLETED" else JobPhase.FAILED
    said = cluster().explain("12_3", one, JobReport(phase, state))
    assert said.startswith("Slurm job 12_3: ") and words in said and said.endswith("last words")


def test_an_unknown_quota_type_is_left_out(slurm: StandInSlurm, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    refusal = 'case "$*" in *quota*) echo "unrecognized option \'--quotatype=auto\'" >&2; exit 1;; esac\n'
    script = (slurm.folder / "sbatch").read_text()
    (slurm.folder / "sbatch").write_text(script.replace("number=", f"{refusal}number=", 1))
    told = cluster(quotatype="auto")
    with caplog.at_level(logging.WARNING):
        assert told.submit([job(tmp_path)], 1) == ["1"] and told.submit([job(tmp_path)], 1) == ["2"]
    assert caplog.text.count("no quota types") == 1


@pytest.mark.parametrize(
    ("said", "temporary"),
    [
        ("error: invalid partition specified: nope", False),
        ("Batch job submission failed: Job violates accounting/QOS policy (job submit limit)", True),
        ("Unable to contact slurm controller (connect failure)", True),
    ],
)
def test_refusals(slurm: StandInSlurm, tmp_path: Path, said: str, temporary: bool):
    slurm.says("refuses", f"sbatch: {said}\n")
    with pytest.raises(SubmissionRefused) as refused:
        cluster().submit([job(tmp_path)], 1)
    assert said in str(refused.value) and refused.value.temporary is temporary


def test_cancelling_is_one_call(slurm: StandInSlurm):
    cluster().cancel([*(f"12_{index}" for index in (0, 1, 2, 3, 7)), "15"])
    assert slurm.calls == ["scancel 12_[0-3,7] 15"]


def test_an_array_may_be_given_more_places(slurm: StandInSlurm):
    cluster().allow(["12_3", "12_4"], 9)
    assert slurm.calls == ["scontrol update JobId=12 ArrayTaskThrottle=9"]


def test_jobs_that_wait_for_somebody_are_told_once(
    slurm: StandInSlurm, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    slurm.says("states", "1_0|PENDING|JobHeldAdmin\n1_1|PENDING|JobHeldAdmin\n")
    told = cluster()
    for _ in range(2):
        told.reports({"1_0": job(tmp_path), "1_1": job(tmp_path)})
    assert caplog.text.count("waits, and will until somebody helps it") == 1


def test_how_jobs_are_submitted(slurm: StandInSlurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert SlurmRunner().cluster(tmp_path).most_per_submission == 1000
    sequential = SlurmSequentialRunner(task_prefix="mine-").cluster(tmp_path)
    assert (sequential.most_per_submission, sequential.most_waiting) == (1, 1)
    assert SlurmRunner(submit_with="srun").cluster(tmp_path).most_per_submission == 1
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert "sbatch" in SlurmRunner().needs()[0].message
