"""A stage whose work is done by jobs of a cluster."""

from collections.abc import Callable, Generator
from concurrent.futures import Future as PlainFuture
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from flows.run.engine_errors import NotExecuted

if TYPE_CHECKING:
    from blocks.clusters.jobs import ClusterRunner
    from flows.jobs.lifecycle import ClusterJobs, JobHandle
    from flows.run.run import Run
    from flows.run.window import Future, Window
    from tasks.infer.part_manifests import PartManifest
    from tasks.plan.run_plan import StagePlan
    from tasks.score.batch import PairOutcome, ScoreBatch
    from tasks.spec.shard import Shard

Result = TypeVar("Result")


@contextmanager
def stage_jobs(run: "Run", stage: Literal["infer", "eval"]) -> "Generator[ClusterJobs[Any] | None]":
    """What runs the stage's work on its cluster; None if it has none."""
    plan = run.plan.infer if stage == "infer" else run.plan.eval
    runner = _cluster_runner(plan)
    if runner is None:
        yield None
        return
    from flows.jobs.lifecycle import ClusterJobs
    from flows.jobs.records import JobRecords
    from flows.jobs.work import job_folder

    cluster = runner.cluster(run.folder.root.absolute())
    records = JobRecords(job_folder(run.folder) / f"{stage}.jsonl", plan.runner)
    with ClusterJobs(
        cluster,
        records,
        at_once=plan.max_num_workers,
        retry=runner.retry,
        stop=run.stop,
        failed=lambda job, reason: run.observer.job_failed(job.name, reason, job.log),
        silence=run.plan.eval.options.get("heartbeat_timeout") if run.plan.watches else None,
    ) as jobs:
        yield jobs


def _cluster_runner(stage: "StagePlan") -> "ClusterRunner | None":
    """The stage's runner; one of the user's own that has `launch` gets the methods of a cluster."""
    if not stage.uses_jobs:
        return None
    if callable(getattr(stage.built_runner, "cluster", None)):
        return stage.built_runner
    from blocks.clusters.user_runner import LaunchRunner

    return LaunchRunner(stage.built_runner)


def submit_shard(run: "Run", jobs: "ClusterJobs[Any]", shard: "Shard") -> "JobHandle[list[PartManifest]]":
    """Has the shard done by a job, unless it is finished."""
    from flows.jobs.lifecycle import JobHandle
    from flows.jobs.work import ShardJob

    work = ShardJob(shard, run.folder, run.progress)
    manifests = work.finished()
    if manifests is None:
        return jobs.submit(work)
    handle = JobHandle[Any]()
    handle.started.cancel()
    handle.ended.set_result(manifests)
    return handle


def submit_batch(run: "Run", jobs: "ClusterJobs[Any]", batch: "ScoreBatch") -> "JobHandle[list[PairOutcome]]":
    """Has the batch scored by a job."""
    from flows.jobs.work import BatchJob

    cache = run.plan.request.cache
    at_once = min(run.plan.eval.max_num_workers, len(run.plan.pairs if run.plan.watches else run.plan.eval_batches))
    return jobs.submit(BatchJob(batch, run.folder, Path(cache).expanduser().absolute() if cache else None, at_once))


def when_started(
    window: "Window[Any, Any]", handle: "JobHandle[Result]", submit: "Callable[[], Future[Result]]"
) -> "Future[Result]":
    """The outcome of what is submitted, on the window's thread, once the job runs; of the job if it never does."""
    outcome: PlainFuture[Result] = PlainFuture()

    def submitted() -> None:
        future = submit()
        future.add_done_callback(lambda _: _hand_on(future, outcome, handle))

    def started(future: "PlainFuture[None]") -> None:
        if future.cancelled():
            handle.ended.add_done_callback(lambda ended: _hand_on(ended, outcome))
        else:
            window.call(submitted)

    handle.started.add_done_callback(started)
    return outcome


def _hand_on(ended: Any, outcome: "PlainFuture[Any]", handle: "JobHandle[Any] | None" = None) -> None:
    try:
        outcome.set_result(ended.result())
    except NotExecuted as error:
        if handle is None:
            outcome.set_exception(error)
        else:  # the job goes on, although nobody shows it
            handle.ended.add_done_callback(lambda job: _hand_on(job, outcome))
    except Exception as error:  # noqa: BLE001 whatever the work failed with is for who waits for it
        outcome.set_exception(error)
