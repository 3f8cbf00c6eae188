"""Scoring jobs that ask a judge, each pair's as soon as it is answered."""

from pathlib import Path

import pytest
from support.judged_workspace import JudgedWorkspace
from support.slurm import Slurm

pytestmark = [pytest.mark.slow, pytest.mark.serial]

CANARY = "canary-of-judge-7783-zqx"
SLURM = """
slurm = dict(type='SlurmRunner', partition='main', max_num_workers=2, poll_interval=0.3)
infer = dict(runner=dict(slurm, task=dict(type='OpenICLInferTask')))
eval = dict(runner=dict(slurm, task=dict(type='OpenICLEvalWatchTask')))
"""


def test_judges_are_asked_by_jobs(cluster: Slurm, tmp_path: Path):
    workspace = JudgedWorkspace(tmp_path)
    with workspace.server:
        workspace.write_judged({"sums": 6, "more": 4}, key=CANARY, extra=SLURM)
        done = workspace.run(str(workspace.config), "--inline", environ=cluster.environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("100.00") >= 2 and workspace.asked == 10
    assert (workspace.run_folder / ".jobs/eval.jsonl").exists()
    files = [file for file in workspace.run_folder.rglob("*") if file.is_file()]
    assert [file for file in files if CANARY.encode() in file.read_bytes()] == []
