"""What happens to a run when its jobs, its nodes or itself do not live to the end."""

import os
import signal
import subprocess
import time

import pytest
from support.scripted_server import HANG, Turn
from support.slurm import wait_until
from support.slurm_workspace import SlurmWorkspace
from support.workspace import kill_group

pytestmark = [pytest.mark.slow, pytest.mark.serial]


def hang_from(workspace: SlurmWorkspace, number: int) -> None:
    workspace.server.decide = lambda call: HANG if call.number >= number else None


def interrupt(process: "subprocess.Popen[str]") -> tuple[float, str]:
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        kill_group(process)
    return time.monotonic() - start, errors


def test_an_interrupt_cancels_the_jobs_and_keeps_the_answers(workspace: SlurmWorkspace):
    workspace.ask_for({"sums": 40}, tasks=10, workers=2)
    hang_from(workspace, 10)
    process = workspace.begin("--inline")
    workspace.wait_for(14)
    seconds, errors = interrupt(process)
    assert (process.returncode, seconds < 8) == (130, True), (seconds, errors)
    assert "saved" in errors and "failed" not in errors
    wait_until(lambda: not workspace.slurm.jobs("pending,running,completing"), 15)
    workspace.server.decide = lambda call: None
    asked = workspace.server.requests
    done = workspace.finish("--inline", "-r")
    assert done.returncode == 0, done.stderr
    assert workspace.server.requests - asked == 30


@pytest.mark.parametrize("mode", ["sbatch", "srun"])
def test_a_killed_run_finds_its_jobs_again(workspace: SlurmWorkspace, mode: str):
    """Those of sbatch run on; those of srun end with it, and are submitted again."""
    workspace.ask_for({"sums": 12}, tasks=3, workers=3, submit_with=mode)
    workspace.server.decide = lambda call: Turn(latency=8.0) if call.number >= 6 else None
    process = workspace.begin("--inline")
    workspace.wait_for(8)
    os.kill(process.pid, signal.SIGKILL)
    kill_group(process)
    before = workspace.submitted()
    if mode == "sbatch":
        assert workspace.slurm.jobs("running")
    else:
        wait_until(lambda: not workspace.slurm.jobs("pending,running,completing"), 30)
    workspace.server.decide = lambda call: None
    done = workspace.finish("--inline", "-r")
    assert done.returncode == 0, done.stderr
    assert len(workspace.read("predictions/adder/sums.json")) == 12
    assert (workspace.server.requests == 12) == (mode == "sbatch")
    if mode == "sbatch":
        assert workspace.submitted() == before and "submitted before" in done.stderr


@pytest.mark.parametrize("tasks", [1, 3])
def test_jobs_that_were_accepted_while_the_run_died_are_found_by_their_comment(workspace: SlurmWorkspace, tasks: int):
    workspace.ask_for({"sums": 12}, tasks=tasks, workers=tasks)
    workspace.server.decide = lambda call: Turn(latency=8.0) if call.number >= 2 else None
    process = workspace.begin("--inline")
    workspace.wait_for(4)
    os.kill(process.pid, signal.SIGKILL)
    kill_group(process)
    before, jobs = workspace.submitted(), workspace.run_folder / ".jobs/infer.jsonl"
    jobs.write_text("".join(line for line in jobs.read_text().splitlines(keepends=True) if '"submitting"' in line))
    assert not workspace.submitted()
    workspace.server.decide = lambda call: None
    done = workspace.finish("--inline", "-r")
    assert done.returncode == 0, done.stderr
    assert workspace.submitted() == before and workspace.server.requests == 12


def test_the_job_of_a_node_that_fails_runs_elsewhere(workspace: SlurmWorkspace):
    workspace.ask_for({"sums": 6}, tasks=1)
    hang_from(workspace, 3)
    process = workspace.begin("--inline")
    workspace.wait_for(5)
    [[_, _, _, node]] = workspace.slurm.jobs("running")
    workspace.server.decide = lambda call: None
    workspace.slurm.ask("scontrol", "update", f"nodename={node}", "state=down", "reason=test")
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        kill_group(process)
        workspace.slurm.ask("scontrol", "update", f"nodename={node}", "state=resume")
    assert process.returncode == 0, errors
    assert "waits again" in errors and len(workspace.submitted()) == 1
    [*_, [_, state, _, other]] = [job for job in workspace.slurm.jobs() if job[0] == workspace.submitted()[0]]
    assert (state, other != node) == ("COMPLETED", True)


def test_a_job_that_dies_is_submitted_again_and_explained(workspace: SlurmWorkspace):
    dying = "models = [dict(type='own_models.Dies', abbr='own', batch_size=1)]\n"
    workspace.ask_for({"sums": 2}, tasks=1, retry=1, extra=dying)
    done = workspace.finish("--inline")
    assert done.returncode == 1, done.stderr
    assert (workspace.folder / "deaths").read_text() == "xx" and len(workspace.submitted()) == 2
    said = next(line for line in done.stderr.splitlines() if line.startswith("failed: own/sums"))
    assert "exit status 127" in said and "the last words of the job" in said


def test_a_job_that_somebody_cancels_is_not_submitted_again(workspace: SlurmWorkspace):
    workspace.ask_for({"sums": 4}, tasks=1)
    hang_from(workspace, 0)
    process = workspace.begin("--inline")
    workspace.wait_for(1)
    workspace.slurm.ask("scancel", *workspace.submitted())
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1 and "somebody cancelled it" in errors and len(workspace.submitted()) == 1


def test_what_slurm_refuses_is_told_in_its_words(workspace: SlurmWorkspace):
    workspace.ask_for({"sums": 2}, tasks=1)
    workspace.config.write_text(workspace.config.read_text().replace("'main'", "'nowhere'"))
    done = workspace.finish("--inline")
    assert done.returncode == 1 and "invalid partition" in done.stderr.lower()
