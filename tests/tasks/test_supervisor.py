"""Commands end with the process that started them, and tell how they ended."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tasks.supervisor import CommandNotStarted, start

FAMILY = """
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
time.sleep(600)
"""
PARENT = """
import sys, time
from pathlib import Path
from tasks.supervisor import start
start([sys.executable, "-S", sys.argv[1]], log=Path(sys.argv[2]))
{after}
time.sleep(600)
"""


def test_exit_status_and_output(tmp_path: Path) -> None:
    command = start(
        [sys.executable, "-c", "print('first'); print('last'); raise SystemExit(7)"], log=tmp_path / "logs" / "out"
    )
    assert command.wait(30) == 7
    assert command.returncode == command.poll() == 7
    assert command.tail(1) == "last"


def test_signal_is_a_negative_status() -> None:
    command = start([sys.executable, "-S", "-c", "import os; os.kill(os.getpid(), 9)"])
    assert command.wait(30) == -signal.SIGKILL


def test_command_that_does_not_exist_is_named() -> None:
    with pytest.raises(CommandNotStarted, match="no-such-program-here"):
        start(["no-such-program-here", "--flag"])


def test_file_that_may_not_be_executed(tmp_path: Path) -> None:
    script = tmp_path / "plain.txt"
    script.write_text("not a program")
    with pytest.raises(CommandNotStarted, match="Permission denied"):
        start([str(script)])


def test_environment_and_folder(tmp_path: Path) -> None:
    code = "import os; print(os.environ.get('COLOUR'), os.getcwd())"
    log = tmp_path / "out"
    start([sys.executable, "-c", code], env={"COLOUR": "red"}, cwd=tmp_path, log=log).wait(30)
    assert log.read_text().split() == ["red", str(tmp_path)]


def test_stop_ends_the_command_and_its_children(tmp_path: Path) -> None:
    command = start([sys.executable, "-S", _script(tmp_path, FAMILY)], log=tmp_path / "out")
    pids = _family(tmp_path / "out")
    assert command.stop(grace=5) == -signal.SIGTERM
    assert command.pid == pids[0]
    _wait_until(lambda: not any(map(_alive, pids)))


def test_stop_kills_what_ignores_the_polite_signal(tmp_path: Path) -> None:
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(600)"
    command = start([sys.executable, "-S", "-c", code], log=tmp_path / "out")
    _wait_until(lambda: command.tail() == "ready")
    assert command.stop(grace=0.1) == -signal.SIGKILL


def test_children_left_behind_by_a_command_that_ends_are_ended(tmp_path: Path) -> None:
    code = FAMILY.rstrip().removesuffix("time.sleep(600)")
    command = start([sys.executable, "-S", _script(tmp_path, code)], log=tmp_path / "out")
    assert command.wait(30) == 0
    child = _family(tmp_path / "out")[1]
    _wait_until(lambda: not _alive(child))


def test_leaving_the_context_stops_the_command() -> None:
    with start([sys.executable, "-S", "-c", "import time; time.sleep(600)"]) as command:
        assert command.poll() is None
    assert command.returncode == -signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_death_of_the_parent_ends_child_and_grandchild(tmp_path: Path, number: signal.Signals) -> None:
    parent, pids = _parent_with_family(tmp_path, after="")
    os.kill(parent.pid, number)
    parent.wait(10)
    _wait_until(lambda: not any(map(_alive, pids)))


def test_a_forked_copy_of_the_parent_does_not_keep_the_command_alive(tmp_path: Path) -> None:
    fork = "import os\nforked = os.fork()\nif forked: Path(sys.argv[3]).write_text(str(forked))"
    parent, pids = _parent_with_family(tmp_path, after=fork)
    _wait_until(lambda: (tmp_path / "forked").is_file() and (tmp_path / "forked").read_text() != "")
    forked = int((tmp_path / "forked").read_text())
    try:
        parent.kill()
        parent.wait(10)
        _wait_until(lambda: not any(map(_alive, pids)))
        assert _alive(forked)
    finally:
        os.kill(forked, signal.SIGKILL)


def test_a_killed_watcher_is_noticed(tmp_path: Path) -> None:
    command = start([sys.executable, "-S", _script(tmp_path, FAMILY)], log=tmp_path / "out")
    pids = _family(tmp_path / "out")
    watcher = int(Path(f"/proc/{command.pid}/stat").read_text().split()[3])
    os.kill(watcher, signal.SIGKILL)
    assert command.wait(10) == -signal.SIGKILL
    _wait_until(lambda: not any(map(_alive, pids)))


def _script(folder: Path, code: str) -> str:
    path = folder / "family.py"
    path.write_text(code)
    return str(path)


def _parent_with_family(folder: Path, after: str) -> "tuple[subprocess.Popen[bytes], list[int]]":
    script, log = _script(folder, FAMILY), folder / "out"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT.format(after=after), script, str(log), str(folder / "forked")],
        cwd=Path(__file__).parents[2],
    )
    return parent, _family(log)


def _family(log: Path) -> list[int]:
    """Pids of the command and of its child, once it has written them."""
    _wait_until(lambda: log.is_file() and log.read_text().endswith("\n"))
    return [int(word) for word in log.read_text().split()]


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)
