"""Real servers of our own. The tests of `running` share one; the others use one home, one server after the other."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from flows.local_server.health import call, check_api, is_up
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import (
    Record,
    ServerFiles,
    create_files,
    keeper_lives,
    read_record,
    runs_using,
    server_files,
)
from flows.prefect_api.server import find_api, hold_run_lock, start_own_server, use
from flows.tools.services import server as server_command
from tasks.spec.findings import UserError
from tasks.spec.storage.file_locks import wait_lock

CHECKOUT = Path(__file__).parents[3]

STARTER = """
import json, logging, os, sys
logging.basicConfig(level="INFO", stream=sys.stderr)
from flows.prefect_api.server import start_own_server
server = start_own_server()
address = server.wait()
json.dump([os.getpid(), address and address.url, server.problem], sys.stdout)
sys.stdout.write("\\n")
sys.stdout.flush()
sys.stdin.read()
"""


class Running(NamedTuple):
    """A server that two runs, since killed, started at the same moment."""

    files: ServerFiles
    record: Record
    address: ApiAddress
    starters: list[tuple[str, str]]
    """Standard output and error of each."""


def environment(state: Path, **variables: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(("PREFECT_", "COMPASS_"))}
    return kept | {"COMPASS_STATE_DIR": str(state), "HOME": str(state), "PYTHONPATH": str(CHECKOUT)} | variables


def processes_end(*pids: int) -> bool:
    """Whether the processes are gone, or end within a minute."""
    return eventually(lambda: not any(alive(pid) for pid in pids))


def alive(pid: int) -> bool:
    """A process that has ended but is not yet reaped by us, its parent, counts as gone."""
    try:
        os.kill(pid, 0)
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False


def eventually(condition: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.1)
    return condition()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    state = tmp_path_factory.mktemp("state")
    environ = environment(
        state, COMPASS_SERVER_IDLE_SECONDS="1", PREFECT_SERVER_DATABASE_CONNECTION_URL="sqlite:////nowhere"
    )
    files = server_files(environ)
    pipe = subprocess.PIPE
    with ExitStack() as ended:
        ended.callback(stop_own_server, files)
        commands = [
            subprocess.Popen(
                [sys.executable, "-c", STARTER], env=environ, cwd=state, stdin=pipe, stdout=pipe, stderr=pipe, text=True
            )
            for _ in range(2)
        ]
        first_lines = [command.stdout.readline() if command.stdout else "" for command in commands]
        create_files(files)
        ended.enter_context(hold_run_lock(files))
        for command in commands:
            command.kill()
        starters = [(line, command.communicate()[1]) for line, command in zip(first_lines, commands, strict=True)]
        record, address = read_record(files), own_address(files)
        assert record and address, starters
        yield Running(files, record, address, starters)


def test_two_runs_starting_at_once_get_one_server(running: Running) -> None:
    answers = [json.loads(line) for line, _ in running.starters]
    assert [url for _, url, _ in answers] == [running.address.url] * 2
    servers = Path("/proc").glob("[0-9]*/cmdline")
    ours = [path for path in servers if str(running.files.root).encode() in read_if_there(path)]
    assert len(ours) == 1, "one keeper"


def read_if_there(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_only_the_run_that_starts_it_says_so_and_why_the_first_time_is_slow(running: Running) -> None:
    said = [error for _, error in running.starters if "starting the local Prefect server" in error]
    assert len(said) == 1 and "the first time it sets up its database" in said[0]


def test_it_outlives_the_runs_that_started_it(running: Running) -> None:
    assert is_up(running.address)
    assert os.getsid(running.record.keeper) == running.record.keeper


def test_it_wants_the_password(running: Running) -> None:
    check_api(running.address)
    for wrong in (None, "compass:wrong"):
        with pytest.raises(UserError, match="refuses the credentials"):
            check_api(replace(running.address, auth_string=wrong))


def test_the_password_is_on_no_command_line(running: Running) -> None:
    secret = (running.address.auth_string or "").encode()
    for pid in (running.record.keeper, running.record.server):
        assert secret not in Path(f"/proc/{pid}/cmdline").read_bytes()
    assert secret.decode() not in running.files.log.read_text() + running.files.record.read_text()


def test_its_pages_call_it_and_are_there(running: Running) -> None:
    pages = replace(running.address, url=running.address.ui_url)
    assert call(pages, "/ui-settings").body["api_url"] == running.address.url
    assert call(pages, "/v2/").status == 200


def test_it_keeps_everything_in_its_own_folder(running: Running) -> None:
    assert (running.files.home / "prefect.db").exists()
    settings = call(running.address, "/admin/settings").body
    assert settings["home"] == str(running.files.home)
    assert settings["server"]["analytics_enabled"] is False
    assert settings["server"]["api"]["host"] == "127.0.0.1"


def test_it_has_the_automation_for_dead_runs_once(running: Running) -> None:
    found = call(running.address, "/automations/filter", {})
    assert eventually(lambda: len(call(running.address, "/automations/filter", {}).body) == 1), found


def test_it_stays_while_a_run_holds_it(running: Running) -> None:
    # Many times its idle limit.
    assert not eventually(lambda: not keeper_lives(running.files), seconds=5)
    assert runs_using(running.files) == 1


def test_its_exports_serve_the_prefect_command(
    running: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPASS_STATE_DIR", str(running.files.root.parent))
    assert server_command.main(["env"]) == 0
    exports = capsys.readouterr().out
    environ = environment(running.files.root.parent)
    prefect = f"{shlex.quote(sys.executable)} -m prefect"
    script = f"{exports}\n{prefect} flow-run ls && {prefect} config view --show-secrets"
    shown = subprocess.run(
        ["sh", "-c", script], check=False, env=environ, cwd=running.files.root.parent, capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "No flow runs found" in shown.stdout
    assert running.address.url in shown.stdout and (running.address.auth_string or "") in shown.stdout.replace("\n", "")


def test_its_state_is_shown(
    running: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPASS_STATE_DIR", str(running.files.root.parent))
    monkeypatch.setenv("PREFECT_API_URL", "http://user:pass@elsewhere:1/api")
    assert server_command.main([]) == 0
    shown = capsys.readouterr().out
    for part in (
        ": up",
        running.address.url,
        running.address.auth_string,
        "1 using it now",
        "after 1 s without a run",
        str(running.record.server),
    ):
        assert part and part in shown
    assert "Runs report to http://elsewhere:1/api instead, set by: environment" in shown


def test_a_run_told_to_use_our_own_server_uses_it_as_such(running: Running, tmp_path: Path) -> None:
    environ = environment(running.files.root.parent, PREFECT_API_URL=running.address.url)
    assert find_api(environ, tmp_path) is None
    environ["PREFECT_API_URL"] = "http://elsewhere:1/api"
    found = find_api(environ, tmp_path)
    assert found and found.url == "http://elsewhere:1/api"


FLOW = """
from flows.prefect_api.server import start_own_server, use
with start_own_server() as server:
    with use(server.wait()):
        from prefect import flow
        @flow(name="one")
        def one(): return 1
        assert one() == 1
"""


def test_a_flow_reports_to_it_past_any_proxy(running: Running, tmp_path: Path) -> None:
    environ = environment(running.files.root.parent, http_proxy="http://127.0.0.1:9", PREFECT_API_KEY="stray")
    subprocess.run([sys.executable, "-c", FLOW], env=environ, cwd=tmp_path, check=True)
    runs = call(running.address, "/flow_runs/filter", {}).body
    assert [run["state_type"] for run in runs] == ["COMPLETED"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lifecycle")


@pytest.fixture
def files(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerFiles]:
    """Nothing runs there before and after the test."""
    monkeypatch.setenv("COMPASS_STATE_DIR", str(home))
    files = server_files(os.environ)
    yield files
    stop_own_server(files)
    record = read_record(files)
    assert record is None or processes_end(record.server)


def started() -> Record:
    """A server that is up and that no run holds."""
    with start_own_server() as server:
        assert server.wait(), server.problem
    record = read_record(server_files(os.environ))
    assert record
    return record


@pytest.mark.slow
def test_it_ends_by_itself_when_no_run_uses_it(files: ServerFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_SERVER_IDLE_SECONDS", "2")
    record = started()
    assert processes_end(record.keeper, record.server)
    assert not keeper_lives(files)


@pytest.mark.slow
def test_up_makes_it_permanent_and_down_ends_it(
    files: ServerFiles, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPASS_SERVER_IDLE_SECONDS", "1")
    with start_own_server() as server:
        assert server.wait(), server.problem
        assert server_command.main(["up"]) == 0
    assert "never by itself" in capsys.readouterr().out
    record = read_record(files)
    assert record and not eventually(lambda: not keeper_lives(files), seconds=5)
    assert server_command.main(["down"]) == 0
    assert processes_end(record.keeper, record.server)
    assert "is stopped" in capsys.readouterr().out
    assert server_command.main(["down"]) == 0
    assert "was not running" in capsys.readouterr().out


@pytest.mark.slow
def test_a_killed_keeper_takes_its_server_along_and_the_next_start_is_at_the_same_address(files: ServerFiles) -> None:
    first = started()
    os.kill(first.keeper, signal.SIGKILL)
    second = started()
    assert processes_end(first.server) and alive(second.server)
    assert second.port == first.port


@pytest.mark.slow
def test_a_server_that_answers_wrongly_is_replaced(files: ServerFiles) -> None:
    first = started()
    files.password.unlink()
    second = started()
    assert processes_end(first.keeper, first.server) and second.keeper != first.keeper


@pytest.mark.slow
def test_a_killed_server_is_noticed_and_replaced(files: ServerFiles) -> None:
    first = started()
    os.kill(first.server, signal.SIGKILL)
    second = started()
    assert processes_end(first.keeper) and alive(second.server)


def test_a_record_of_the_dead_means_nothing(files: ServerFiles, capsys: pytest.CaptureFixture[str]) -> None:
    create_files(files)
    with subprocess.Popen(["true"]) as dead:
        pass
    files.record.write_text(
        json.dumps({"keeper": dead.pid, "server": dead.pid, "port": 9, "phase": "up", "idle_limit": 1})
    )
    assert server_command.main([]) == 0
    assert "down" in capsys.readouterr().out
    assert not stop_own_server(files)
    assert not keeper_lives(files)


def test_a_server_that_cannot_start_is_told_with_its_log(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    files = server_files(environ)
    (files.home / "prefect.db").mkdir(parents=True)
    with start_own_server(environ) as server:
        assert server.wait() is None
    assert "the server did not start" in server.problem and str(files.log) in server.problem
    assert "database" in server.problem


def test_a_state_folder_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with start_own_server(environment(tmp_path / "file")) as server:
        assert server.wait() is None
    assert f"{tmp_path / 'file'}" in server.problem and "Not a directory; $COMPASS_STATE_DIR names" in server.problem


def test_a_server_that_is_not_up_in_time_is_told(files: ServerFiles) -> None:
    create_files(files)
    files.record.unlink(missing_ok=True)
    with ExitStack() as held:
        keeper = wait_lock(files.keeper_lock, 0)
        assert keeper is not None
        held.callback(os.close, keeper)
        with start_own_server() as server:
            assert server.wait(timeout=1) is None
        assert "was not up after 1 s" in server.problem
        interrupted = threading.Event()
        interrupted.set()
        with start_own_server() as server:
            assert server.wait(stop=interrupted) is None
        assert "interrupted" in server.problem


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf"])
def test_an_idle_limit_that_is_none_is_an_error(text: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="COMPASS_SERVER_IDLE_SECONDS"):
        start_own_server(environment(tmp_path, COMPASS_SERVER_IDLE_SECONDS=text))


def test_use_can_be_undone_and_keeps_what_the_user_set() -> None:
    before = {"PREFECT_API_KEY": "k", "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "60", "no_proxy": "intranet"}
    environ = dict(before)
    with use(ApiAddress("http://127.0.0.1:1/api", auth_string="compass:x", own=True), environ):
        assert (
            environ["PREFECT_API_URL"] == "http://127.0.0.1:1/api" and environ["PREFECT_API_AUTH_STRING"] == "compass:x"
        )
        assert "PREFECT_API_KEY" not in environ
        assert environ["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"] == "60"
        assert environ["no_proxy"] == "intranet,127.0.0.1"
        assert environ["DO_NOT_TRACK"] == "1"
    assert environ == before


def test_use_of_a_configured_server_leaves_its_credentials_and_home_alone() -> None:
    before = {"PREFECT_API_KEY": "k", "PREFECT_HOME": "/h"}
    environ = dict(before)
    use(ApiAddress("http://elsewhere:1/api"), environ)
    assert environ["PREFECT_API_URL"] == "http://elsewhere:1/api"
    assert {name: environ[name] for name in before} == before
    assert "no_proxy" not in environ


def test_use_works_when_prefect_is_already_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import get_current_settings

    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    before = get_current_settings().api.url
    with use(ApiAddress("http://elsewhere:1/api")):
        assert get_current_settings().api.url == "http://elsewhere:1/api"
        assert get_current_settings().server.ephemeral.enabled is False
    assert get_current_settings().api.url == before


def test_nothing_of_it_imports_prefect() -> None:
    code = """import sys, flows.local_server.keeper, flows.tools.services.server as c; c.main([])
sys.exit('prefect' in sys.modules)"""
    assert (
        subprocess.run([sys.executable, "-c", code], check=False, cwd=CHECKOUT, stdout=subprocess.DEVNULL).returncode
        == 0
    )
