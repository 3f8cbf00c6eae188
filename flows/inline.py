"""The plan without Prefect's engine: the same stages, files and exit status, on threads of this process."""

from concurrent.futures import ThreadPoolExecutor

from flows.jobs.stage import stage_jobs, submit_batch, submit_shard
from flows.run.run import Run
from flows.run.sequence import run_stages
from flows.run.stages import infer_stage, score_stage
from flows.run.summary import make_summary
from tasks.score.batch import score_batch


class InlineEngine:
    """Executes shards and scoring batches on a thread pool per stage, or by jobs of a cluster."""

    def infer(self, run: Run) -> None:
        with stage_jobs(run, "infer") as jobs:
            if jobs is not None:
                infer_stage(run, lambda shard: submit_shard(run, jobs, shard).ended)
                return
        with ThreadPoolExecutor(run.plan.infer.max_num_workers, "infer") as pool:
            infer_stage(run, lambda shard: pool.submit(run.session.run, shard))

    def score(self, run: Run) -> None:
        with stage_jobs(run, "eval") as jobs:
            if jobs is not None:
                score_stage(run, lambda batch: submit_batch(run, jobs, batch).ended)
                return
        with ThreadPoolExecutor(run.plan.eval.max_num_workers, "eval") as pool:
            score_stage(run, lambda batch: pool.submit(score_batch, batch, run.folder, run.judging))

    def summarize(self, run: Run) -> None:
        run.summary = make_summary(run)


def run_inline(run: Run) -> None:
    """Runs all stages; what happened is in the run's files and fields."""
    run_stages(run, InlineEngine())
