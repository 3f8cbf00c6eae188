"""Workers of Dask that a real Slurm gives, through dask-jobqueue."""

import pytest
from support.slurm_workspace import SlurmWorkspace

pytestmark = [pytest.mark.slow, pytest.mark.serial]

STAGES = """
slurm = dict(
    queue='main', cores=2, processes=1, memory='400MB', walltime='00:20:00', interface='lo', log_directory={logs!r},
    scheduler_options=dict(dashboard_address='127.0.0.1:0'),
)
runner = dict(
    type='DaskRunner', cluster_class='dask_jobqueue.SLURMCluster', cluster_kwargs=slurm, max_num_workers=4,
    poll_interval=0.3,
)
infer = dict(
    partitioner=dict(type='NumWorkerPartitioner', num_worker=4, num_split=4, min_task_size=1),
    runner=dict(runner, task=dict(type='OpenICLInferTask')),
)
eval = dict(runner=dict(type='LocalRunner', task=dict(type='OpenICLEvalTask')))
"""


def test_a_cluster_that_begins_empty_grows_with_the_tasks_and_ends_with_the_run(workspace: SlurmWorkspace):
    logs = workspace.folder / "dask-logs"
    workspace.write({"sums": 12}, extra=STAGES.format(logs=str(logs)))
    workspace.server.latency = 0.5
    done = workspace.finish("--inline")
    assert done.returncode == 0, done.stderr
    assert "100.00" in done.stdout and workspace.server.requests == 12
    assert len(workspace.submitted()) == 4, "tasks"
    assert len(list(logs.glob("*.err"))) == 2, "jobs of Slurm, of two tasks at a time"
    assert workspace.slurm.jobs("PENDING,RUNNING") == []
