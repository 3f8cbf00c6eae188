"""The stages beside each other: what one fails with is the run's."""

import pytest
from support.workspace import Workspace

from flows.inline import InlineEngine
from flows.preparation import prepare
from flows.run import Run, open_run
from flows.sequence import run_stages
from tasks.plan.request import RunRequest

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
