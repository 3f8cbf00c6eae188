"""The stages beside each other: what one fails with is the run's."""

import threading
from typing import Any

import pytest
from support.workspace import Workspace

from flows import inline
from flows.inline import InlineEngine
from flows.preparation.prepare import prepare
from flows.run.run import Run, open_run
from flows.run.sequence import run_stages
from tasks.plan.request import RunRequest
from tasks.score.batch import PairOutcome, ScoreBatch, score_batch

WATCH = """
from opencompass.runners import LocalRunner
from opencompass.tasks import OpenICLEvalWatchTask
eval = dict(runner=dict(type=LocalRunner, task=dict(type=OpenICLEvalWatchTask)))
"""


class Lame(InlineEngine):
    """Cannot score."""

    def score(self, run: Run) -> None:
        raise ConnectionError("nobody scores")


def test_scoring_beside_inference_that_breaks_is_not_taken_for_done(workspace: Workspace):
    workspace.write({"sums": 3}, extra=WATCH)
    plan = prepare(RunRequest(config=str(workspace.config)))
    assert plan.watches
    with open_run(plan) as run, pytest.raises(ConnectionError, match="nobody scores"):
        run_stages(run, Lame())
    assert run.summary is None


class Repeating(InlineEngine):
    """Begins the inference again, as where the server fails at its end, before anything is scored."""

    def __init__(self) -> None:
        self._inferred = threading.Event()

    def infer(self, run: Run) -> None:
        super().infer(run)
        super().infer(run)
        self._inferred.set()

    def score(self, run: Run) -> None:
        assert self._inferred.wait(60)
        super().score(run)


def test_an_inference_that_is_begun_again_has_no_pair_scored_twice(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
):
    scored: list[str] = []

    def counted(batch: ScoreBatch, *others: Any) -> list[PairOutcome]:
        scored.extend(item.dataset.abbr for item in batch.pairs)
        return score_batch(batch, *others)

    monkeypatch.setattr(inline, "score_batch", counted)
    workspace.write({"sums": 3, "more": 2}, extra=WATCH)
    with open_run(prepare(RunRequest(config=str(workspace.config)))) as run:
        run_stages(run, Repeating())
    assert sorted(scored) == ["more", "sums"] and not run.failures
