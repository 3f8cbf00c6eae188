"""The Prefect task around a scoring batch: cached under the scores' keys."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import CacheKeyFnPolicy
from prefect.context import TaskRunContext

from tasks.score.batch import PairOutcome, ScoreBatch, score_batch
from tasks.score.judging.session import JudgeSession
from tasks.score.score_key import is_scored, score_key
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.printable import shown_name
from tasks.spec.storage.run_folder import Pair, RunFolder


@dataclass(frozen=True)
class ScoreWork:
    """A batch and the run it belongs to; opaque to Prefect."""

    batch: ScoreBatch
    folder: RunFolder
    judging: JudgeSession | None = None
    """Asks the judges of evaluators that have some."""
    wait: Callable[[], list[PairOutcome]] | None = None
    """Waits for the job of a cluster that scores it in this process's place."""


def _cache_key(_context: TaskRunContext, parameters: dict[str, Any]) -> str:
    return parameters["key"]


@task(
    name="score_pairs",
    cache_policy=CacheKeyFnPolicy(cache_key_fn=_cache_key),
    persist_result=True,
    result_serializer="json",
    cache_result_in_memory=False,
)
def score_pairs(work: ScoreWork, key: str) -> list[dict[str, Any]]:  # noqa: ARG001
    """Scores a batch; BatchFailed, carrying every outcome, if a pair has no score. The result is cached under `key`."""
    outcomes = work.wait() if work.wait else score_batch(work.batch, work.folder, work.judging)
    get_run_logger().info("%s: done", shown_name(work.batch.name))
    return [{"model": outcome.pair.model, "dataset": outcome.pair.dataset} for outcome in outcomes]


def outcomes_of(result: list[dict[str, Any]]) -> list[PairOutcome]:
    """The task's result as outcomes."""
    return [PairOutcome(Pair(item["model"], item["dataset"])) for item in result]


def batch_key(batch: ScoreBatch, folder: RunFolder) -> str:
    """Key of a batch from the score keys of its pairs."""
    return digest(["score", *(score_key(item.model, item.dataset, folder) for item in batch.pairs)])


def drop_stale_record(folder: RunFolder, batch: ScoreBatch, key: str) -> None:
    """Forgets a cached result whose results files are gone or belong to other predictions."""
    if not all(is_scored(item.model, item.dataset, folder) for item in batch.pairs):
        (folder.cache / key).unlink(missing_ok=True)
