"""SIGKILL at any moment loses no answer, doubles none, and costs the requests in flight at most."""

import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from support.chaos import ROUNDS, Chaos, asked_in_vain, chance, outcome, recorded
from support.specs import sums, write_rows
from support.workspace import Workspace, kill_group, make_workspace

from flows.local_server.start import stop_own_server
from flows.local_server.state import read_record, server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

SUMS = 20 * ROUNDS
TWINS = 40
NAIVE = """
from opencompass.partitioners import NaivePartitioner
infer = dict(partitioner=dict(type=NaivePartitioner))
"""
MANY_PIECES = """
from opencompass.partitioners import NumWorkerPartitioner
infer = dict(partitioner=dict(type=NumWorkerPartitioner, num_split=5, min_task_size=3))
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path, latency=0.1)
    with workspace.server:
        yield workspace


@pytest.fixture
def undisturbed(tmp_path: Path) -> Iterator[Workspace]:
    """The same evaluation, which nobody kills."""
    workspace = make_workspace(tmp_path / "undisturbed")
    workspace.folder.mkdir()
    with workspace.server:
        yield workspace


@pytest.fixture
def chaos(workspace: Workspace) -> Chaos:
    return Chaos(workspace, chance())


def write(workspace: Workspace, extra: str = "") -> list[str]:
    """Two datasets, of which one has every row twice; returns how to run them."""
    workspace.write({"sums": SUMS, "twins": 0}, extra=extra)
    write_rows(workspace.folder / "twins.jsonl", [*sums(20), *sums(20)])
    return [str(workspace.config), "--inline"]


def needed(undisturbed: Workspace) -> Counter[str]:
    """The requests of a whole run."""
    assert undisturbed.run(*write(undisturbed)).returncode == 0
    return undisturbed.server.bodies


def test_killed_again_and_again(workspace: Workspace, undisturbed: Workspace, chaos: Chaos):
    command = write(workspace)
    for _ in range(ROUNDS):
        chaos.run_and_kill(*command)
    chaos.finish(*command)
    assert asked_in_vain(workspace, needed(undisturbed)) <= chaos.most_repeated()
    assert outcome(workspace.run_folder) == outcome(undisturbed.run_folder)
    assert len(recorded(workspace.run_folder)) == sum(recorded(workspace.run_folder).values()) == SUMS + TWINS


def test_cut_otherwise_for_every_part(workspace: Workspace, undisturbed: Workspace, chaos: Chaos):
    chaos.run_and_kill(*write(workspace))
    chaos.most_in_flight = 3 * 4
    chaos.run_and_kill(*write(workspace, NAIVE), "--max-num-workers", "3")
    chaos.finish(*write(workspace, MANY_PIECES), "--max-num-workers", "2")
    assert asked_in_vain(workspace, needed(undisturbed)) <= chaos.most_repeated()
    assert outcome(workspace.run_folder) == outcome(undisturbed.run_folder)


def test_a_growing_limit(workspace: Workspace, undisturbed: Workspace, chaos: Chaos):
    command = write(workspace)
    chaos.run_and_kill(*command, "--limit", "15")
    chaos.finish(*command, "--limit", "30")
    assert len(workspace.read("predictions/adder/sums.json")) == 30
    chaos.run_and_kill(*command)
    chaos.finish(*command)
    assert asked_in_vain(workspace, needed(undisturbed)) <= chaos.most_repeated()
    assert outcome(workspace.run_folder) == outcome(undisturbed.run_folder)


def test_another_prompt_for_one_dataset(workspace: Workspace, undisturbed: Workspace, chaos: Chaos):
    chaos.finish(*write(workspace))
    before = workspace.server.questions
    command = write(workspace)
    prompt = "prompt='{question}' if abbr == 'sums' else 'Once more: {question}'"
    workspace.config.write_text(workspace.config.read_text().replace("prompt='{question}'", prompt))
    workspace.server.answer = lambda question: undisturbed.server.answer(question.removeprefix("Once more: "))
    chaos.run_and_kill(*command)
    chaos.finish(*command)
    asked = workspace.server.questions - before
    assert all(question.startswith("Once more: ") for question in asked)
    assert TWINS <= sum(asked.values()) <= TWINS + chaos.most_repeated()
    needed(undisturbed)
    scores, expected = outcome(workspace.run_folder), outcome(undisturbed.run_folder)
    assert scores["predictions/adder/sums.json"] == expected["predictions/adder/sums.json"]
    assert scores["results/adder/twins.json"]["accuracy"] == 100.0
    chaos.finish(*write(workspace))
    assert workspace.server.questions - before == asked, "the first answers were lost"


def test_with_prefect_and_its_server_killed_too(workspace: Workspace, undisturbed: Workspace, tmp_path: Path):
    environ = {"COMPASS_STATE_DIR": str(tmp_path / "state")}
    files = server_files(environ)

    def kill_all(process: Any) -> None:
        kill_group(process)
        record = read_record(files)
        for pid in (record.keeper, record.server) if record else ():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    chaos = Chaos(workspace, chance(), environ=environ)
    command = write(workspace)[:-1]
    try:
        chaos.run_and_kill(*command)
        chaos.kill = kill_all
        chaos.run_and_kill(*command)
        chaos.finish(*command)
    finally:
        stop_own_server(files)
    assert asked_in_vain(workspace, needed(undisturbed)) <= chaos.most_repeated()
    assert outcome(workspace.run_folder) == outcome(undisturbed.run_folder)


@pytest.mark.parametrize("second", [["--inline"], []], ids=["inline", "prefect"])
def test_a_second_run_on_the_folder_is_refused_and_names_the_first(
    workspace: Workspace, prefect_state: dict[str, str], second: list[str]
):
    command = write(workspace)
    first = workspace.start(*command)
    try:
        while not workspace.server.requests:
            assert first.poll() is None
        refused = workspace.run(command[0], "-r", *second, environ=prefect_state)
        viewed = workspace.run(command[0], "-r", "-m", "viz", "--inline")
    finally:
        kill_group(first)
    assert refused.returncode == 2
    assert f"in use by process {first.pid} on {socket.gethostname()}" in refused.stderr
    assert viewed.returncode == 0 and "PARTIAL" in viewed.stdout
    assert workspace.run(*command, "-r").returncode == 0, "the lock must die with its process"
