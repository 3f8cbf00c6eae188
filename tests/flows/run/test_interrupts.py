"""Ctrl-C ends a run within seconds, whatever it is doing, and loses no answer."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.chaos import recorded
from support.scripted_server import HANG
from support.workspace import Workspace, kill_group

from flows.local_server.state import read_record, server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

SECONDS_TO_SAVE = 3
SECONDS_TO_END = 6
"""Promised on an idle machine."""
BUSY = 2
"""Seconds more that a machine may take which other tests keep busy."""

OWN_EVALUATOR = """
import time
from pathlib import Path
from opencompass.openicl.icl_evaluator import BaseEvaluator

class Endless(BaseEvaluator):
    def score(self, predictions, references):
        Path(__file__).with_name("scoring").touch()
        time.sleep(3600)
"""


def interrupt(process: "subprocess.Popen[str]", number: signal.Signals = signal.SIGINT) -> tuple[float, str]:
    """Seconds until the end, and what was said on standard error."""
    start = time.monotonic()
    process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=60)
    finally:
        kill_group(process)
    return time.monotonic() - start, errors


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_while_a_service_answers_no_more(workspace: Workspace, number: signal.Signals):
    workspace.write({"sums": 100})
    workspace.server.decide = lambda call: HANG if call.number >= 20 else None
    process = workspace.start(str(workspace.config), "--inline")
    until(lambda: workspace.server.requests >= 24)
    start = time.monotonic()
    process.send_signal(number)
    until(lambda: workspace.server.in_flight == 0, SECONDS_TO_SAVE + BUSY)
    assert len(recorded(workspace.run_folder)) == 20
    _, errors = process.communicate(timeout=60)
    assert time.monotonic() - start < SECONDS_TO_END + BUSY
    assert process.returncode == 130
    assert "saved" in errors and f"--reuse {workspace.run_folder.name}" in errors and "Traceback" not in errors


def test_twice_ends_it_at_once_with_the_command_to_go_on(workspace: Workspace):
    workspace.write({"sums": 100})
    workspace.server.decide = lambda call: HANG
    process = workspace.start(str(workspace.config), "--inline")
    until(lambda: workspace.server.requests >= 4)
    process.send_signal(signal.SIGINT)
    assert process.stderr
    assert any("interrupted" in line for line in process.stderr)
    seconds, errors = interrupt(process)
    assert (process.returncode, seconds < BUSY) == (130, True)
    assert f"--reuse {workspace.run_folder.name}\n" in errors[errors.index("to go on:  ") :]


def test_while_the_server_of_a_model_starts(workspace: Workspace):
    command = [sys.executable, "-c", "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(3600)"]
    workspace.write({"sums": 5}, serve={"command": command})
    process = workspace.start(str(workspace.config), "--inline")
    until(lambda: workspace.work_dir.exists() and any(workspace.work_dir.rglob("serve/adder.log")))
    seconds, errors = interrupt(process)
    assert (process.returncode, seconds < SECONDS_TO_END + BUSY) == (130, True), (seconds, errors)
    assert "--reuse" in errors and "failed" not in errors
    until(lambda: not running(command[-1]), 5)


def test_while_the_prefect_server_starts(workspace: Workspace, tmp_path: Path):
    workspace.write({"sums": 5})
    process = workspace.start(
        str(workspace.config),
        environ={"COMPASS_STATE_DIR": str(tmp_path / "state"), "COMPASS_SERVER_IDLE_SECONDS": "1"},
    )
    until((tmp_path / "state/server/server.json").exists)
    seconds, errors = interrupt(process)
    assert (process.returncode, seconds < SECONDS_TO_END + BUSY) == (130, True), (seconds, errors)
    assert "goes on without it" not in errors
    assert workspace.server.requests == 0


def test_while_an_evaluator_of_the_users_own_does_not_end(workspace: Workspace):
    workspace.write({"sums": 5})
    (workspace.folder / "endless.py").write_text(OWN_EVALUATOR)
    config = workspace.config.read_text().replace("dict(type=AccEvaluator)", "dict(type='endless.Endless')")
    workspace.config.write_text(config)
    process = workspace.start(str(workspace.config), "--inline")
    until((workspace.folder / "scoring").exists)
    seconds, errors = interrupt(process)
    assert (process.returncode, seconds < SECONDS_TO_END + BUSY) == (130, True), (seconds, errors)
    assert f"--reuse {workspace.run_folder.name}" in errors


@pytest.mark.parametrize("server", ["answers", "hangs"])
def test_on_prefect(workspace: Workspace, prefect_state: dict[str, str], server: str):
    workspace.write({"sums": 100})
    workspace.server.decide = lambda call: HANG if call.number >= 20 else None
    process = workspace.start(str(workspace.config), environ=prefect_state)
    until(lambda: workspace.server.requests >= 24)
    record = read_record(server_files(prefect_state))
    assert record is not None
    if server == "hangs":
        os.kill(record.server, signal.SIGSTOP)
    try:
        seconds, errors = interrupt(process)
    finally:
        os.kill(record.server, signal.SIGCONT)
    assert (process.returncode, seconds < SECONDS_TO_END + BUSY) == (130, True), (seconds, errors)
    assert len(recorded(workspace.run_folder)) == 20
    assert f"--reuse {workspace.run_folder.name}" in errors


def test_while_other_runs_have_taken_all_permits(workspace: Workspace, prefect_state: dict[str, str]):
    workspace.write({"sums": 20}, query_per_second=0.2)
    others = [workspace.start(str(workspace.config), environ=prefect_state) for _ in range(2)]
    try:
        until(lambda: workspace.server.requests >= 2)
        seconds, errors = interrupt(others[0])
    finally:
        kill_group(others[1])
    assert (others[0].returncode, seconds < SECONDS_TO_END + BUSY) == (130, True), (seconds, errors)


def running(word: str) -> list[str]:
    """Command lines that hold the word."""
    shown = subprocess.run(["ps", "-eo", "stat=,args="], capture_output=True, text=True, check=True).stdout
    return [line for line in shown.splitlines() if word in line and not line.startswith("Z")]
