import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from flows.local_server.log import append_log, log_tail, shorten_log
from flows.local_server.state import (
    Phase,
    Record,
    ServerFiles,
    create_files,
    keeper_lives,
    password,
    read_record,
    runs_using,
    write_record,
)
from tasks.spec.storage.file_locks import locked, try_lock, wait_lock


@pytest.fixture
def files(tmp_path: Path) -> ServerFiles:
    files = ServerFiles(tmp_path / "server")
    create_files(files)
    return files


def test_the_password_is_kept_and_private(files: ServerFiles) -> None:
    first = password(files)
    assert first.startswith("compass:") and len(first) > 24
    assert password(files) == first
    assert files.password.stat().st_mode & 0o777 == 0o600
    assert files.root.stat().st_mode & 0o777 == 0o700


def test_clients_find_one_authority(files: ServerFiles) -> None:
    assert len(ssl.create_default_context(cafile=files.authority).get_ca_certs()) == 1


def test_a_password_file_cut_off_by_a_kill_is_made_anew(files: ServerFiles) -> None:
    files.password.touch()
    assert password(files).startswith("compass:")


def test_a_record_is_read_back(files: ServerFiles) -> None:
    record = Record(keeper=1, server=2, port=3, phase=Phase.UP, idle_limit=4.0, idle_since=5.0, problem="p")
    write_record(files, record)
    assert read_record(files) == record


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"keeper": 1}', '{"keeper": 1, "server": 2, "port": 3, "phase": "odd", "idle_limit": 4}'],
)
def test_a_broken_record_is_no_record(content: str, files: ServerFiles) -> None:
    files.record.write_text(content)
    assert read_record(files) is None


def test_a_keeper_lives_as_long_as_its_lock_is_held(files: ServerFiles) -> None:
    assert not keeper_lives(files)
    with locked(files.start_lock), locked(files.keeper_lock):
        pass
    assert not keeper_lives(files)
    with locked(files.keeper_lock):
        assert keeper_lives(files)


def test_locks_exclude_and_share(files: ServerFiles) -> None:
    with locked(files.runs_lock, shared=True), locked(files.runs_lock, shared=True):
        assert try_lock(files.runs_lock) is None
        assert wait_lock(files.runs_lock, timeout=0) is None
    with locked(files.runs_lock):
        assert try_lock(files.runs_lock, shared=True) is None


HOLD = """
import sys, pathlib
from tasks.spec.storage.file_locks import locked
with locked(pathlib.Path(sys.argv[1]), shared=True):
    print(flush=True)
    input()
"""


def test_runs_are_counted_while_they_live(files: ServerFiles) -> None:
    if not Path("/proc/locks").exists():
        pytest.skip("only Linux tells who holds a lock")
    assert runs_using(files) == 0
    command = [sys.executable, "-c", HOLD, str(files.runs_lock)]
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run,
        locked(files.runs_lock, shared=True),
    ):
        assert run.stdout and run.stdout.readline()
        assert runs_using(files) == 2
        run.kill()
        run.wait()
        assert runs_using(files) == 1
    assert runs_using(files) == 0


def test_runs_are_not_counted_where_the_system_does_not_tell(files: ServerFiles, tmp_path: Path) -> None:
    assert runs_using(files, tmp_path / "absent") is None


def test_a_long_log_is_moved_and_its_writers_go_on(files: ServerFiles) -> None:
    with files.log.open("ab") as writer:
        writer.write(b"old\n" * 100)
        writer.flush()
        shorten_log(files, limit=1000)
        assert log_tail(files) == "old\nold\nold\nold\nold"
        shorten_log(files, limit=300)
        append_log(files, "new")
        writer.write(b"newer\n")
    assert files.log.read_text().endswith("compass: new\nnewer\n") and "old" not in files.log.read_text()
    assert (files.root / "server.log.1").read_text() == "old\n" * 100
