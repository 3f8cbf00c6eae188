"""Standard output or error that takes no more: the run's results are kept, and one line says why nothing is shown."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.workspace import ROOT, Workspace

FULL = Path("/dev/full")
TOLD = "cannot write standard output: No space left on device"
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")


def compass(*arguments: str, buffered: bool = True, errors: bool = False) -> "subprocess.CompletedProcess[str]":
    """`compass` with its output, or its `errors`, to where nothing can be written."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    environ |= {"PYTHONPATH": str(ROOT)} | ({} if buffered else {"PYTHONUNBUFFERED": "1"})
    command = [sys.executable, "-P", "-m", "flows.eval", *arguments]
    with FULL.open("w") as full:
        streams = (subprocess.PIPE, full) if errors else (full, subprocess.PIPE)
        return subprocess.run(
            command, env=environ, stdout=streams[0], stderr=streams[1], text=True, timeout=120, check=False
        )


@pytest.mark.parametrize("arguments", [(), ("--json",)])
def test_a_run_that_cannot_show_its_summary_has_written_it(workspace: Workspace, arguments: tuple[str, ...]):
    done = compass(str(workspace.write()), "--inline", *arguments)
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and lines.count(f"failed: {TOLD}") == 1 and "to go on: " in lines[-1]
    assert f"summary: {workspace.run_folder}/summary/" in done.stderr
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0


@pytest.mark.parametrize("buffered", [True, False])
def test_so_it_is_where_nothing_is_run(workspace: Workspace, buffered: bool):
    for arguments in ((str(workspace.write()), "--dry-run"), ("--version",), ("list",)):
        done = compass(*arguments, buffered=buffered)
        assert (done.returncode, done.stderr.splitlines()) == (1, [f"error: {TOLD}"]), arguments


def test_a_run_that_cannot_say_how_it_gets_on_ends_well(workspace: Workspace):
    done = compass(str(workspace.write()), "--inline", errors=True)
    assert done.returncode == 0 and "100.00" in done.stdout
