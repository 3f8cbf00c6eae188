"""The stage flow `infer`: one task per shard, in a window; on a cluster, from the moment its job runs."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State, StateType
from prefect.exceptions import CancelledRun, FailedRun
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import opaque

from flows.flow_runs.execution import carry_out_stage
from flows.flow_runs.futures import ConvertedFuture
from flows.jobs.lifecycle import JobHandle
from flows.jobs.stage import stage_jobs, submit_shard, when_started
from flows.run.run import Run, stage_name
from flows.run.stages import infer_stage
from flows.run.window import Future
from tasks.infer.part_manifests import PartManifest
from tasks.infer.task import ShardWork, drop_stale_record, infer_shard, manifests_of
from tasks.spec.shard import Shard
from tasks.spec.storage.printable import shown_name


def _run_name() -> str:
    return stage_name("infer", str(flow_run.parameters["run_folder"]))


@flow(name="infer", flow_run_name=_run_name, persist_result=False)
def infer(run_folder: str) -> State[None] | None:
    """Asks the models what a run still lacks: its predictions.

    Args:
        run_folder: Absolute path of the run's folder.
    """
    outcome = carry_out_stage(run_folder, "infer", _infer, flow_run.id)
    return State(type=StateType(outcome.type), message=outcome.message) if outcome else None


def _infer(run: Run) -> None:
    with stage_jobs(run, "infer") as jobs:
        if jobs is None:
            infer_stage(run, lambda shard: _submit(run, shard))
        else:
            infer_stage(run, lambda shard: _submit_when_started(run, submit_shard(run, jobs, shard), shard))


def infer_flow(run: Run) -> None:
    """Calls the flow for `run`, with as many task slots as its plan has workers."""
    runner: Any = ThreadPoolTaskRunner(max_workers=run.plan.infer.max_num_workers)
    with suppress(CancelledRun, FailedRun):  # the run knows that it was interrupted, and what failed
        infer.with_options(task_runner=runner, retries=0)(str(run.folder.root))


def _submit_when_started(run: Run, handle: JobHandle[list[PartManifest]], shard: Shard) -> Future[list[PartManifest]]:
    return when_started(run.to_infer, handle, lambda: _submit(run, shard, handle.ended.result))


def _submit(run: Run, shard: Shard, wait: Callable[[], list[PartManifest]] | None = None) -> Future[list[PartManifest]]:
    drop_stale_record(run.folder, shard)
    task = infer_shard.with_options(task_run_name=shown_name(shard.name), result_storage=run.folder.cache)
    work: Any = opaque(ShardWork(shard, run.session, wait))
    return ConvertedFuture(task.submit(work, shard.key), manifests_of)
