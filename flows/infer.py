"""The stage flow `infer`: one task per shard, in a window."""

from typing import Any

from prefect import flow, tags
from prefect.task_runners import ThreadPoolTaskRunner
from prefect.utilities.annotations import opaque

from flows.converted_future import ConvertedFuture
from flows.run import Run, run_of, stage_name
from flows.stages import infer_stage
from flows.window import Future
from tasks.infer.parts import PartManifest
from tasks.infer.task import ShardWork, drop_stale_record, infer_shard, manifests_of
from tasks.spec.shard import Shard


@flow(name="infer", flow_run_name=lambda: stage_name("infer"), persist_result=False)
def infer(run_folder: str) -> None:
    """Produces the predictions of a run that this process has opened."""
    run = run_of(run_folder)
    infer_stage(run, lambda shard: _submit(run, shard))


def infer_flow(run: Run) -> None:
    """Calls the flow for `run`, with as many task slots as its plan has workers."""
    runner: Any = ThreadPoolTaskRunner(max_workers=run.plan.infer.max_num_workers)
    infer.with_options(task_runner=runner)(str(run.folder.root))


def _submit(run: Run, shard: Shard) -> Future[list[PartManifest]]:
    drop_stale_record(run.folder, shard)
    task = infer_shard.with_options(task_run_name=shard.name, result_storage=run.folder.cache)
    with tags(f"model:{shard.model.abbr}", *(f"dataset:{part.dataset.abbr}" for part in shard.parts)):
        work: Any = opaque(ShardWork(shard, run.session))
        return ConvertedFuture(task.submit(work, shard.key), manifests_of)
