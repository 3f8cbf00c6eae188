"""The plan without Prefect's engine: the same stages, files and exit status, on threads of this process."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from flows.evaluation import evaluate
from flows.run import Run
from flows.stages import PairReady, ScoreWindow, infer_stage, score_stage
from tasks.report.summary import Summary, summarize
from tasks.score.batch import score_batch
from tasks.spec.run_folder import timestamp


class InlineEngine:
    """Executes shards and scoring batches on a thread pool per stage."""

    def infer(self, run: Run, ready: PairReady) -> None:
        with ThreadPoolExecutor(run.plan.infer.max_num_workers, "infer") as pool:
            infer_stage(run, partial(pool.submit, run.session.run), ready)

    def score(self, run: Run, window: ScoreWindow) -> None:
        with ThreadPoolExecutor(run.plan.eval.max_num_workers, "eval") as pool:
            score_stage(run, lambda batch: pool.submit(score_batch, batch, run.folder), window)

    def summarize(self, run: Run) -> None:
        run.summary = make_summary(run)


def make_summary(run: Run) -> Summary:
    """Writes the summary files of the run as it stands."""
    plan = run.plan
    return summarize(plan.models, plan.datasets, run.folder, plan.summarizer, time=timestamp())


def run_inline(run: Run) -> None:
    """Runs all stages; what happened is in the run's files and fields."""
    evaluate(run, InlineEngine())
