"""A full disk ends the run with a reason and loses nothing that was written; with room again it goes on."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chaos import outcome, recorded
from support.specs import sums, write_rows
from support.workspace import Workspace, make_workspace

pytestmark = [pytest.mark.slow, pytest.mark.serial]

SAMPLES = 60
IN_FLIGHT = 4
ROOM = 20_000
"""Kilobytes."""
LONG = "long " * 800
"""About what the ledger needs per answer; predictions and details take as much again."""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path, lambda question: f"{LONG}{question}")
    with workspace.server:
        yield workspace


@pytest.fixture
def disk(workspace: Workspace) -> Iterator[Path]:
    """A file system of its own for the runs, with room for nearly nothing."""
    folder = workspace.work_dir
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"needs the right to mount a tmpfs: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def kilobytes_used(disk: Path) -> int:
    return (shutil.disk_usage(disk).used + 1023) // 1024


def resize(disk: Path, kilobytes: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(disk)], check=True)


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.36, 0.5, 0.8, 0.97])
def test_the_run_ends_with_a_reason_and_goes_on_with_room(workspace: Workspace, disk: Path, share: float):
    command = [str(workspace.write({"sums": SAMPLES})), "--inline"]
    resize(disk, ROOM)
    assert workspace.run(*command).returncode == 0
    expected, used = outcome(workspace.run_folder), kilobytes_used(disk)
    shutil.rmtree(workspace.run_folder)
    asked = workspace.server.requests
    resize(disk, max(8, round(share * used)))
    full = workspace.run(*command)
    assert full.returncode == 1
    assert "No space left on device" in full.stderr
    assert "Traceback" not in full.stderr
    resize(disk, ROOM)
    assert workspace.run(*command, "-r").returncode == 0
    assert outcome(workspace.run_folder) == expected
    assert workspace.server.requests - asked <= SAMPLES + IN_FLIGHT + 1


def test_nothing_more_is_asked_once_an_answer_cannot_be_written(workspace: Workspace, disk: Path):
    extra = "models = [dict(models[0], abbr=f'adder{n}') for n in range(8)]"
    command = [str(workspace.write({"sums": 12, "more": 0}, extra=extra)), "--inline", "--max-num-workers", "1"]
    write_rows(workspace.folder / "more.jsonl", sums(24)[12:])
    resize(disk, 500)
    full = workspace.run(*command)
    assert full.returncode == 1
    assert "No space left on device" in full.stderr
    assert "Traceback" not in full.stderr
    assert workspace.server.requests - recorded(workspace.run_folder).total() <= IN_FLIGHT + 1


def test_a_run_on_prefect_ends_so_too(workspace: Workspace, disk: Path, prefect_state: dict[str, str]):
    command = [str(workspace.write({"sums": SAMPLES}))]
    resize(disk, 150)
    full = workspace.run(*command, environ=prefect_state)

    assert full.returncode == 1
    assert "No space left on device" in full.stderr
    assert "Traceback" not in full.stderr
    resize(disk, ROOM)
    assert workspace.run(*command, "-r", environ=prefect_state).returncode == 0
    assert workspace.server.requests <= SAMPLES + IN_FLIGHT + 1
