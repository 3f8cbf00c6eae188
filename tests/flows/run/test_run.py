"""A run in this process."""

import signal

from support.workspace import Workspace

from flows.preparation.prepare import prepare
from flows.run.interrupts import interruptible
from flows.run.run import open_run
from tasks.plan.request import RunRequest


def test_where_a_run_is_shown_its_plan_is_not(workspace: Workspace):
    workspace.write({"sums": 3}, key="sk-very-secret-indeed")
    with open_run(prepare(RunRequest(config=str(workspace.config)))) as run, interruptible(run, print):
        for shown in (repr(run), repr(signal.getsignal(signal.SIGINT))):
            assert "sk-very-secret" not in shown and "adder" not in shown and len(shown) < 300
