"""No secret is written anywhere: canaries stand wherever one can be given, and all that is written is searched."""

import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.canaries import (
    CANARIES,
    ProcessArguments,
    canary_environ,
    canary_workspace,
    files_below,
    found,
    write_config,
)
from support.slurm import missing, running_slurm
from support.workspace import Workspace

from flows.local_server.start import stop_own_server
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = canary_workspace(tmp_path / "user")
    with workspace.server:
        write_config(workspace)
        yield workspace


@pytest.fixture
def environ(tmp_path: Path) -> Iterator[dict[str, str]]:
    environ = canary_environ(tmp_path)
    yield environ
    stop_own_server(server_files(environ))


def test_nothing_but_the_users_own_files_holds_a_secret(workspace: Workspace, environ: dict[str, str], tmp_path: Path):
    config = str(workspace.config)
    commands = [
        [config, "--dry-run", "--config-verbose"],
        [config, "--inline", "--config-verbose", "--debug"],
        [config, "--config-verbose"],
        [config, "-r"],
        [config, "-r", "-m", "eval", "--inline"],
        [config, "-r", "-m", "viz", "--report"],
    ]
    leaks: list[str] = []
    with ProcessArguments() as arguments:
        for command in commands:
            done = workspace.run(*command, environ=environ, timeout=240)
            assert done.returncode == (0 if "--dry-run" in command or "viz" in command else 1), done.stderr
            leaks += found((done.stdout + done.stderr).encode(), f"what {command[1:]} printed")
        for tool in (["cases"], ["status"], ["export"], ["export", "-f", "lm-eval"]):
            done = workspace.run(tool[0], str(workspace.run_folder), *tool[1:], environ=environ)
            leaks += found((done.stdout + done.stderr).encode(), f"what {tool} printed")
        (workspace.folder / "hub-is-down").touch()
        done = workspace.run(config, "--inline", environ=environ)
        assert done.returncode == 2 and "Loader.load failed" in done.stderr
        leaks += found((done.stdout + done.stderr).encode(), "what a failed loader printed")
        workspace.config.write_text(
            workspace.config.read_text().replace("openai_proxy_url='http", "openai_proxy_url=x 'http")
        )
        done = workspace.run(config, "--inline", environ=environ)
        assert done.returncode == 2
        leaks += found((done.stdout + done.stderr).encode(), "what a broken configuration printed")
        time.sleep(3)  # the server's log and database are written a moment later
    leaks += [leak for line in arguments.seen for leak in found(line, f"the arguments {line!r}")]
    own = {workspace.config, workspace.folder / "own.py"}
    written = files_below(tmp_path, own)
    assert any(path.name == "prefect.db" for path in written) and any(".ledger" in str(path) for path in written)
    leaks += [leak for path in written for leak in found(path.read_bytes(), path.relative_to(tmp_path))]
    assert not leaks, "\n".join(sorted(set(leaks)))
    assert_password_is_kept(server_files(environ).password, written, arguments.seen)


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_jobs_of_slurm_leave_none(
    workspace: Workspace, environ: dict[str, str], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
):
    """But in the environment that Slurm itself keeps for its jobs."""
    slurm_runner = "dict(type='SlurmRunner', partition='main', max_num_workers=8, retry=1, poll_interval=0.3)"
    with workspace.config.open("a") as file:
        file.write(f"\ninfer = dict(runner={slurm_runner})\neval = dict(runner={slurm_runner})\n")
    base = tmp_path_factory.mktemp("slurm") / "base"
    with running_slurm(base) as slurm, ProcessArguments() as arguments:
        done = workspace.run(
            str(workspace.config), "--inline", "--debug", environ={**environ, **slurm.environment}, timeout=240
        )
        shown = slurm.ask("scontrol", "show", "job", "--details")
    assert done.returncode == 1, done.stderr
    assert {CANARIES["env_key"], CANARIES["named_key"]} <= {call.key for call in workspace.server.calls}
    assert CANARIES["header"] in {call.headers.get("X-Gateway-Auth") for call in workspace.server.calls}
    assert "JobId=" in shown
    leaks = found((done.stdout + done.stderr + shown).encode(), "what was printed")
    leaks += [leak for line in arguments.seen for leak in found(line, f"the arguments {line!r}")]
    written = files_below(tmp_path, {workspace.config, workspace.folder / "own.py"})
    assert any(path.suffix == ".out" for path in written) and any(".jobs" in path.parts for path in written)
    kept = set(base.glob("state/hash.*/job.*/environment"))
    assert any(found(path.read_bytes(), path) for path in kept)
    leaks += [leak for path in [*written, *files_below(base, kept)] for leak in found(path.read_bytes(), path)]
    assert not leaks, "\n".join(sorted(set(leaks)))


def assert_password_is_kept(file: Path, written: list[Path], arguments: set[bytes]) -> None:
    """The local server's own password is in its file alone, which nobody else can read."""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    password = file.read_text().strip().partition(":")[2].encode()
    assert len(password) >= 16
    assert [path for path in written if password in path.read_bytes()] == [file]
    assert not [line for line in arguments if password in line]
