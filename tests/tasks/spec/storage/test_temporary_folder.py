"""Temporary folders of killed processes are removed by the next one; those of living processes are left alone."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tasks.spec.storage.temporary_folder import held_folder

_HOLD_FOR_EVER = """
import sys, time
from tasks.spec.storage.temporary_folder import held_folder
with held_folder("test") as folder:
    (folder / "log").write_text("text")
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_process_left_is_removed_by_the_next() -> None:
    holder = subprocess.Popen([sys.executable, "-c", _HOLD_FOR_EVER], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    left = Path(holder.stdout.readline().strip())
    try:
        with held_folder("test"):
            assert (left / "log").exists(), "its process lives"
    finally:
        holder.kill()
        holder.communicate()
    with held_folder("other"):
        assert (left / "log").exists(), "of another kind"
    with held_folder("test") as own:
        (own / "log").write_text("text")
        with held_folder("test"):
            assert not left.exists() and own.exists()
    assert not own.exists()


def test_what_only_has_the_name_is_left(parent: Path) -> None:
    (parent / "mine").mkdir()
    (parent / "mine" / "file").touch()
    (parent / "compass_test_link").symlink_to(parent / "mine")
    (parent / "compass_test_file").touch()
    with held_folder("test"):
        pass
    assert sorted(path.name for path in parent.iterdir()) == ["compass_test_file", "compass_test_link", "mine"]
    assert (parent / "mine" / "file").exists()
