"""Runs whose tasks are jobs of a real Slurm."""

import pytest
from support.slurm_workspace import SlurmWorkspace

pytestmark = [pytest.mark.slow, pytest.mark.serial]

CANARY = "canary-of-slurm-7781-zqx"
GPU_MODEL = """
models += [dict(type='own_models.SaysItsGpus', abbr='gpus', batch_size=4, run_cfg=dict(num_gpus=2))]
"""
LOCAL = "type='LocalRunner', max_num_workers=2"


def test_several_models_inferred_and_scored_by_jobs(workspace: SlurmWorkspace):
    workspace.ask_for({"sums": 12, "more": 5}, tasks=2, extra=GPU_MODEL, key=CANARY, quotatype="auto")
    done = workspace.finish("--inline")
    assert done.returncode == 0, done.stderr
    assert "100.00" in done.stdout
    assert done.stderr.count("this Slurm has no quota types") == 2, "one warning per stage"
    assert {call.key for call in workspace.server.calls} == {CANARY}
    files = [file for file in workspace.run_folder.rglob("*") if file.is_file()]
    assert [file for file in files if CANARY.encode() in file.read_bytes()] == []
    answers = workspace.read("predictions/gpus/sums.json")
    assert {record["prediction"] for record in answers.values()} == {"0,1"}
    ids = workspace.submitted()
    assert len(ids) == 4 and len({job.partition("_")[0] for job in ids}) == 2
    assert workspace.submitted("eval")
    log = (workspace.run_folder / "logs/infer/adder/sums.out").read_text()
    assert log.count("OpenICLInfer[adder/sums_0,adder/more_0]: ") == 1


def test_inference_by_jobs_and_scoring_here_on_prefect(workspace: SlurmWorkspace, prefect_state: dict[str, str]):
    workspace.ask_for({"sums": 8}, eval_runner=LOCAL)
    done = workspace.finish(environ=prefect_state)
    assert done.returncode == 0, done.stderr
    assert "100.00" in done.stdout
    assert len(workspace.submitted()) == 2 and not (workspace.run_folder / ".jobs/eval.jsonl").exists()
    again = workspace.finish("-r", environ=prefect_state)
    assert again.returncode == 0, again.stderr
    assert len(workspace.submitted()) == 2 and workspace.server.requests == 8


def test_an_array_of_two_hundred(workspace: SlurmWorkspace):
    own = "models = [dict(type='own_models.SaysItsGpus', abbr='own', batch_size=4)]\n"
    workspace.ask_for({"sums": 200}, tasks=200, workers=8, eval_runner=LOCAL, extra=own)
    done = workspace.finish("--inline", "-m", "infer")
    assert done.returncode == 0, done.stderr
    assert len(workspace.read("predictions/own/sums.json")) == 200
    ids = workspace.submitted()
    assert len(ids) == 200 and len({job.partition("_")[0] for job in ids}) == 1


@pytest.mark.parametrize("kind", ["srun", "sequential"])
def test_where_arrays_are_not_wanted(workspace: SlurmWorkspace, kind: str):
    workspace.ask_for({"sums": 6}, tasks=3, submit_with="srun" if kind == "srun" else None)
    if kind == "sequential":
        text = workspace.config.read_text().replace("'SlurmRunner'", "'SlurmSequentialRunner'")
        workspace.config.write_text(text.replace("'poll_interval'", "'task_prefix': 'mine-', 'poll_interval'"))
    done = workspace.finish("--inline")
    assert done.returncode == 0, done.stderr
    assert "100.00" in done.stdout and len(workspace.submitted()) == 3
    names = [name for _, _, name, _ in workspace.slurm.jobs()][-4:]
    assert all(name.startswith("mine-" if kind == "sequential" else "OpenICL") for name in names), names
