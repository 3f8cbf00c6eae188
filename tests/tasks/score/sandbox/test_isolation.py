"""What a program in a sandbox can do to the machine: nothing. Every kind of sandbox that works here is tried."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from support.repository import ROOT
from support.sandboxes import processes_with, run, working_sandboxes

from tasks.score.sandbox.control_groups import control_groups
from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.program import Limits, Verdict

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes are made of Linux namespaces")


@pytest.fixture(params=working_sandboxes(), ids=lambda sandbox: sandbox.name)
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return request.param


def test_there_is_a_sandbox_here() -> None:
    assert working_sandboxes()


def test_it_runs_an_ordinary_program(sandbox: Sandbox) -> None:
    source = "import collections, dataclasses, json, math, re, typing\ndef f(x): return math.sqrt(x)"
    assert run(source, sandbox, "assert f(9) == 3").verdict is Verdict.PASSED


def test_it_sees_no_file_of_the_user(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s3cret")
    secret.chmod(0o644)
    for path in (
        secret,
        Path.home() / ".bashrc",
        ROOT / "pyproject.toml",
        Path("/etc/passwd"),
        Path("/proc/1/environ"),
    ):
        outcome = run(f"open({str(path)!r})", sandbox)
        assert outcome.error.startswith(("FileNotFoundError", "PermissionError")), path


def test_its_home_is_empty(sandbox: Sandbox) -> None:
    source = "import os\nassert os.listdir(os.path.expanduser('~')) == []"
    assert run(source, sandbox).verdict is Verdict.PASSED


def test_it_sees_no_secret_of_the_environment(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "s3cret")
    source = "import os\nassert 's3cret' not in str(os.environ), os.environ\nassert 'OPENAI_API_KEY' not in os.environ"
    assert run(source, sandbox).verdict is Verdict.PASSED


def test_it_reaches_no_network(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        server.settimeout(0.1)
        for address in ("127.0.0.1", "192.0.2.1"):
            outcome = run(f"import socket; socket.create_connection(({address!r}, {port}), timeout=2)", sandbox)
            assert outcome.error.startswith(("ConnectionRefusedError", "OSError: [Errno 101]")), outcome
        with pytest.raises(TimeoutError):
            server.accept()


def test_it_is_nobody(sandbox: Sandbox) -> None:
    source = """
        import os
        assert os.getuid() != 0 and os.geteuid() != 0 and os.getgid() != 0 and not [g for g in os.getgroups() if g == 0]
        for become in (os.setuid, os.setgid):
            try:
                become(0)
            except OSError:
                continue
            raise AssertionError(become)
    """
    assert run(textwrap.dedent(source), sandbox).verdict is Verdict.PASSED


def test_it_writes_nothing_but_its_own_folder(sandbox: Sandbox) -> None:
    source = """
        import os, sys
        for path in ("/x", "/usr/x", "/etc/x", "/dev/x", sys.executable, os.__file__):
            try:
                open(path, "a")
            except OSError:
                continue
            raise AssertionError(path)
        with open("mine", "w") as file:
            file.write("x")
    """
    assert run(textwrap.dedent(source), sandbox).verdict is Verdict.PASSED
    assert run("open('mine')", sandbox).error.startswith("FileNotFoundError"), "the folder is new every time"


def test_a_fork_bomb_stays_small_and_ends(sandbox: Sandbox) -> None:
    mark = f"300.{uuid.uuid4().int % 10**9}"
    source = f"""
        import os
        count = 0
        while True:
            try:
                pid = os.fork()
            except OSError:
                break
            if pid == 0:
                os.execv("/usr/bin/sleep", ["sleep", "{mark}"])
            count += 1
        assert False, count
    """
    outcome = run(textwrap.dedent(source), sandbox)
    assert outcome.verdict is Verdict.WRONG_ANSWER
    assert 0 < int(outcome.error.removeprefix("AssertionError: ")) <= Limits().processes
    assert processes_with(mark) == []


def test_a_recursive_fork_bomb_ends(sandbox: Sandbox) -> None:
    source = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
    assert run(source, sandbox, cpu_seconds=1, wall_seconds=4).verdict is Verdict.TIMEOUT
    assert run("x = 1", sandbox).verdict is Verdict.PASSED, "the next program has all it needs"


def test_it_cannot_fill_the_disk(sandbox: Sandbox) -> None:
    source = "for i in range(10**6):\n    with open(f'{i}', 'wb') as file:\n        file.write(b'x' * 2**20)"
    outcome = run(source, sandbox, folder_bytes=8 << 20)
    assert outcome.error == "OSError: [Errno 28] No space left on device"


def test_it_cannot_write_a_large_file(sandbox: Sandbox) -> None:
    source = "with open('x', 'wb') as file:\n    while True:\n        file.write(b'x' * 2**20)"
    assert run(source, sandbox, file_bytes=2 << 20).error == "OSError: [Errno 27] File too large"


def test_it_cannot_take_all_memory(sandbox: Sandbox) -> None:
    assert run("x = bytearray(1 << 30)", sandbox, memory_bytes=512 << 20).error == "MemoryError"


@pytest.mark.parametrize("victim", ["os.getppid()", "1", "-1", "0"])
def test_it_cannot_end_what_watches_it(sandbox: Sandbox, victim: str) -> None:
    source = f"import os\ntry:\n    os.kill({victim}, 9)\n    os.kill({victim}, 19)\nexcept OSError:\n    pass"
    outcome = run(source, sandbox, "assert False")
    assert outcome.error in ("AssertionError", "it was killed by SIGKILL")
    assert run("x = 1", sandbox).verdict is Verdict.PASSED


def test_it_sees_no_other_process(sandbox: Sandbox) -> None:
    source = f"import os\nos.kill({os.getpid()}, 0)"
    assert run(source, sandbox).error.startswith("ProcessLookupError")


@pytest.mark.parametrize(
    "source",
    [
        "import atexit, time\natexit.register(time.sleep, 1000)",
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
        "class C:\n    def __del__(self):\n        import time\n        time.sleep(1000)\nc = C()",
    ],
    ids=["atexit", "thread", "destructor"],
)
def test_a_program_that_hangs_at_its_exit_is_judged_at_once(sandbox: Sandbox, source: str) -> None:
    start = time.monotonic()
    assert run(source, sandbox, wall_seconds=100).verdict is Verdict.PASSED
    assert time.monotonic() - start < 60


def test_it_leaves_no_process_behind(sandbox: Sandbox) -> None:
    mark = f"300.{uuid.uuid4().int % 10**9}"
    source = f"""
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execv("/usr/bin/sleep", ["sleep", "{mark}"])
            os._exit(0)
        os.wait()
        time.sleep(0.2)
    """
    assert run(textwrap.dedent(source), sandbox).verdict is Verdict.PASSED
    assert processes_with(mark) == []


def test_endless_output_goes_nowhere(sandbox: Sandbox) -> None:
    source = "import sys\nwhile True:\n    print('x' * 10**6)\n    sys.stderr.write('y' * 10**6)"
    assert run(source, sandbox, cpu_seconds=1).verdict is Verdict.TIMEOUT


def test_links_and_devices_lead_nowhere(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret")
    source = f"""
        import os, stat
        os.symlink({str(tmp_path / "secret")!r}, "link")
        os.symlink("/proc/1/root", "root")
        os.mkfifo("pipe")
        for path in ("link", "root/etc/passwd", "/proc/self/environ", "/dev/mem", "/dev/shm/x", "/sys/kernel"):
            assert not os.path.exists(path), path
        try:
            os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))
        except PermissionError:
            pass
        else:
            raise AssertionError("a device was made")
    """
    assert run(textwrap.dedent(source), sandbox).verdict is Verdict.PASSED


def test_it_neither_traces_what_watches_it_nor_gets_a_file_of_it(sandbox: Sandbox) -> None:
    source = """
        import ctypes, os, stat
        attach = 16
        assert ctypes.CDLL(None).ptrace(attach, 1, 0, 0) == -1
        kinds = {stat.S_IFMT(os.fstat(number).st_mode) for number in map(int, _open())}
        assert kinds <= {stat.S_IFCHR, stat.S_IFSOCK}, kinds
    """
    opened = "import os\ndef _open():\n    return [n for n in range(256) if _is(n)]\n"
    check = "def _is(n):\n    try:\n        os.fstat(n)\n    except OSError:\n        return False\n    return True\n"
    assert run(opened + check + textwrap.dedent(source), sandbox).verdict is Verdict.PASSED


@pytest.mark.slow
def test_it_ends_with_the_process_that_judges(sandbox: Sandbox) -> None:
    """A judge that is killed outright cannot clean up."""
    mark = f"300.{uuid.uuid4().int % 10**9}"
    program = f"import os\nos.execv('/usr/bin/sleep', ['sleep', '{mark}'])"
    judge = (
        "from support.sandboxes import run, working_sandboxes\n"
        f"[one] = [one for one in working_sandboxes() if one.name == {sandbox.name!r}]\n"
        f"run({program!r}, one, wall_seconds=300)"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    process = subprocess.Popen([sys.executable, "-P", "-c", judge], env=environment)
    try:
        _wait_until(lambda: bool(processes_with(f"sleep {mark}")))
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    _wait_until(lambda: not processes_with(mark))


def test_an_ordinary_user_has_the_same_sandboxes() -> None:
    """Where the tests run as root: the system's own Python, as a user with no rights at all."""
    user = ["setpriv", "--reuid", "61000", "--regid", "61000", "--clear-groups", "/usr/bin/python3", "-I", "-S", "-B"]
    check = (
        "import sys\n"
        f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]\n"
        "from support.sandboxes import run, working_sandboxes\n"
        'attack = \'import os; assert os.getuid() != 61000; os.kill(os.getppid(), 9); open("/usr/bin/x", "w")\'\n'
        "for one in working_sandboxes():\n"
        "    print(one.name, run('x = 1', one).verdict, run(attack, one).error)\n"
    )
    readable = [*user, "-c", f"open({__file__!r}); from enum import StrEnum"]
    able = os.getuid() == 0 and subprocess.run(readable, check=False).returncode == 0
    if not able:
        pytest.skip("needs root, setpriv, and a Python and a checkout that everyone can read")
    shown = subprocess.run([*user, "-c", check], capture_output=True, text=True, check=True).stdout.splitlines()
    refused = "passed OSError: [Errno 30] Read-only file system: '/usr/bin/x'"
    if not shown:
        pytest.skip("this machine allows no user namespaces to ordinary users")
    assert shown == [f"{name} {refused}" for name in ("bubblewrap", "namespaces")[-len(shown) :]]


def test_control_groups_hold_all_processes_together(sandbox: Sandbox) -> None:
    with control_groups(Limits(processes=4)) as groups:
        if not any((group / "pids.max").exists() for group in groups):
            pytest.skip("this process may not limit processes by control groups")
        source = (
            "import threading, time\nfor _ in range(20):\n    threading.Thread(target=time.sleep, args=(9,)).start()"
        )
        outcome = run(source, sandbox, groups=tuple(groups), processes=64)
        assert outcome.error.startswith("RuntimeError: can't start new thread")
    assert not [group for group in groups if group.exists()]


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
