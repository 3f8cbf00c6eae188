"""A runner of the user's own starts the tasks of both stages."""

from pathlib import Path

import pytest
from support.workspace import Workspace

from flows.terminal.cli import main

RUNNERS = """
import subprocess


class Runner:
    def __init__(self, folder, broken=False):
        self.folder, self.broken = folder, broken

    def launch(self, tasks):
        if self.broken:
            raise RuntimeError("no way out")
        codes = []
        for number, task in enumerate(tasks):
            (self.folder_path() / task.name.replace("/", "_")).touch()
            if number:
                codes.append((task.name, task.run()))
                continue
            with open(task.get_log_path(), "ab") as log:
                command = task.get_command("true && {task_cmd}")
                codes.append((task.name, subprocess.run(command, shell=True, stdout=log, stderr=log).returncode))
        return codes

    def folder_path(self):
        import pathlib

        return pathlib.Path(self.folder)
"""
STAGES = """
from opencompass.partitioners import NaivePartitioner
infer = dict(partitioner=dict(type=NaivePartitioner), runner=dict(type='my_runners.Runner', **{options!r}))
eval = dict(partitioner=dict(type=NaivePartitioner), runner=dict(type='my_runners.Runner', **{options!r}))
"""


def written(workspace: Workspace, **options: object) -> Path:
    started = workspace.folder / "started"
    started.mkdir()
    (workspace.folder / "my_runners.py").write_text(RUNNERS)
    workspace.write({"sums": 3, "more": 3}, extra=STAGES.format(options={"folder": str(started), **options}))
    return started


def test_both_stages_run_through_it(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    started = written(workspace)
    assert main([str(workspace.config), "--inline"]) == 0
    assert {path.name.partition("[")[0] for path in started.iterdir()} == {"OpenICLInfer", "OpenICLEval"}
    assert len(list(started.iterdir())) == 4 and workspace.server.requests == 6
    assert capsys.readouterr().out.count("100.00") >= 2


def test_a_runner_that_breaks_is_named(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    written(workspace, broken=True)
    assert main([str(workspace.config), "--inline"]) == 1
    assert "Runner.launch: RuntimeError: no way out" in capsys.readouterr().err
