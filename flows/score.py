"""The stage flow `eval`: one task per batch of pairs."""

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
from flows.jobs.stage import stage_jobs, submit_batch, when_started
from flows.run.run import Run, stage_name
from flows.run.stages import score_stage
from flows.run.window import Future
from tasks.infer.task import global_rate
from tasks.score.batch import PairOutcome, ScoreBatch
from tasks.score.task import ScoreWork, batch_key, drop_stale_record, outcomes_of, score_pairs
from tasks.spec.storage.printable import shown_name


def _run_name() -> str:
    return stage_name("eval", str(flow_run.parameters["run_folder"]))


@flow(name="eval", flow_run_name=_run_name, persist_result=False)
def score(run_folder: str) -> State[None] | None:
    """Scores the predictions of a run.

    Args:
        run_folder: Absolute path of the run's folder.
    """
    outcome = carry_out_stage(run_folder, "eval", _score, flow_run.id)
    return State(type=StateType(outcome.type), message=outcome.message) if outcome else None


def _score(run: Run) -> None:
    run.session.models.rate_source = global_rate
    with stage_jobs(run, "eval") as jobs:
        if jobs is None:
            score_stage(run, lambda batch: _submit(run, batch))
        else:
            score_stage(run, lambda batch: _submit_when_started(run, submit_batch(run, jobs, batch), batch))


def score_flow(run: Run) -> None:
    """Calls the flow for `run`, with as many task slots as its plan has workers."""
    runner: Any = ThreadPoolTaskRunner(max_workers=run.plan.eval.max_num_workers)
    with suppress(CancelledRun, FailedRun):  # the run knows that it was interrupted, and what failed
        score.with_options(task_runner=runner, retries=0)(str(run.folder.root))


def _submit_when_started(
    run: Run, handle: JobHandle[list[PairOutcome]], batch: ScoreBatch
) -> Future[list[PairOutcome]]:
    return when_started(run.to_score, handle, lambda: _submit(run, batch, handle.ended.result))


def _submit(
    run: Run, batch: ScoreBatch, wait: Callable[[], list[PairOutcome]] | None = None
) -> Future[list[PairOutcome]]:
    key = batch_key(batch, run.folder)
    drop_stale_record(run.folder, batch, key)
    task = score_pairs.with_options(
        task_run_name=shown_name(batch.name),
        result_storage=run.folder.cache,
        refresh_cache=run.plan.request.mode == "eval",
    )
    work: Any = opaque(ScoreWork(batch, run.folder, run.judging, wait))
    return ConvertedFuture(task.submit(work, key), outcomes_of)
