"""A file takes another's place whole; what killed writers leave is removed, what living ones write is not."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.spec.storage.run_folder import RunFolder, remove_leftovers, replacing, write_atomically

_WRITE_FOR_EVER = """
import sys, time
from pathlib import Path
from tasks.spec.storage.run_folder import replacing
with replacing(Path(sys.argv[1])) as temporary, temporary.open("wb") as file:
    file.write(b"half")
    file.flush()
    print("writing", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "run")


def files_of(folder: RunFolder) -> list[str]:
    return sorted(path.name for path in folder.root.rglob("*") if path.is_file())


@pytest.fixture
def writer(folder: RunFolder) -> "Iterator[subprocess.Popen[str]]":
    """A process in the middle of writing `results/m/d.json`."""
    path = folder.root / "results" / "m" / "d.json"
    write_atomically(path, b"old")
    command = [sys.executable, "-c", _WRITE_FOR_EVER, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "writing\n"
    yield process
    process.kill()
    process.communicate()


def test_what_a_killed_process_was_writing_is_removed(folder: RunFolder, writer: "subprocess.Popen[str]"):
    own = folder.root / "results" / ".mine.tmp"
    own.write_text("of the user")
    remove_leftovers(folder)
    assert files_of(folder) == [f".d.json.{writer.pid}.tmp", ".mine.tmp", "d.json"], "its writer lives"
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    remove_leftovers(folder)
    assert files_of(folder) == [".mine.tmp", "d.json"]
    assert (folder.root / "results" / "m" / "d.json").read_text() == "old"


def test_a_writer_whose_file_was_removed_before_it_could_hold_it_writes_all_the_same(folder: RunFolder):
    path = folder.root / "new.json"
    with replacing(path) as temporary:
        temporary.unlink()
        temporary.write_bytes(b"whole")
    assert path.read_bytes() == b"whole" and files_of(folder) == ["new.json"]


def test_a_failed_writer_leaves_the_old_file_and_nothing_else(folder: RunFolder):
    path = folder.root / "kept.json"
    write_atomically(path, b"old")

    def fail() -> None:
        with replacing(path) as temporary:
            temporary.write_bytes(b"ha")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_bytes() == b"old" and files_of(folder) == ["kept.json"]
