"""A real PostgreSQL on a free port of this machine's loopback, with a password, as a user other than root."""

import asyncio
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tasks.supervisor import Supervised, start

PASSWORD = "canary-of-the-database"
_USER = "compass"
_DEBIAN = Path("/usr/lib/postgresql")
# Nothing survives a test, so nothing need reach the disk; what is committed survives the server's death.
_OPTIONS = (
    "fsync=off",
    "full_page_writes=off",
    "unix_socket_directories=",
    "max_connections=60",
)


def missing() -> str:
    """Why PostgreSQL cannot be started here; empty if it can."""
    if _program("postgres") is None or _program("initdb") is None:
        return "PostgreSQL is not installed; .ci/postgres.sh brings it"
    if os.geteuid() == 0 and _account() is None:
        return "PostgreSQL refuses root, and this machine has no user `postgres`"
    return ""


@dataclass
class Postgres:
    """A server."""

    port: int
    base: Path
    process: Supervised | None = None

    def start(self) -> None:
        """Starts it, again perhaps, and waits until it answers."""
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", *_OPTIONS]
        settings = [word for each in options for word in ("-c", each)]
        command = [_installed("postgres"), "-D", str(self.base / "data"), *settings]
        self.process = start(_as_user(command), cwd=self.base, log=self.base / "log")
        _wait(self, self.process)

    def kill(self) -> None:
        """SIGKILL; its children end by themselves, and with them every connection."""
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def stop(self) -> None:
        """Without waiting for clients, which SIGTERM would do."""
        if self.process is not None and self.process.poll() is None:
            os.kill(self.process.pid, signal.SIGINT)
            self.process.wait(30)

    def url(self, database: str, driver: str = "postgresql") -> str:
        """The address of one database, password included; Prefect wants `postgresql+asyncpg` as the driver."""
        return f"{driver}://{_USER}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def new_database(self, driver: str = "postgresql") -> str:
        """The address of a database that nobody else uses."""
        name = f"test_{uuid4().hex}"
        asyncio.run(self._execute(f'CREATE DATABASE "{name}"'))
        return self.url(name, driver)

    async def _execute(self, command: str) -> None:
        import asyncpg

        connection = await asyncpg.connect(self.url("postgres"), timeout=10)
        try:
            await connection.execute(command)
        finally:
            await connection.close()


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Starts a server with an empty cluster, and stops it."""
    with ExitStack() as stack:
        # pytest's own folders are closed to other users.
        base = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="compass-postgres-")))
        data, password = base / "data", base / "password"
        password.write_text(PASSWORD)
        _hand_over(base, password)
        _initialise(data, password)
        server = Postgres(_free_port(), base)
        stack.callback(server.stop)
        server.start()
        yield server


def _initialise(data: Path, password: Path) -> None:
    command = [
        _installed("initdb"), "-D", str(data), "-U", _USER, "-A", "scram-sha-256", "--pwfile", str(password),
        "-E", "UTF8", "--locale=C", "--no-sync",
    ]  # fmt: skip
    done = subprocess.run(_as_user(command), cwd=data.parent, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def _wait(server: Postgres, process: Supervised, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            return asyncio.run(server._execute("SELECT 1"))
        except Exception:  # refused, starting up, timed out: all mean not yet
            if process.poll() is not None or time.monotonic() > end:
                raise
            time.sleep(0.1)


def _hand_over(*paths: Path) -> None:
    account = _account()
    if os.geteuid() == 0 and account is not None:
        for path in paths:
            os.chown(path, account.pw_uid, account.pw_gid)


def _as_user(command: Sequence[str]) -> list[str]:
    account = _account()
    if os.geteuid() != 0 or account is None:
        return list(command)
    return ["setpriv", f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups", *command]


def _account() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return None


def _installed(name: str) -> str:
    program = _program(name)
    assert program is not None, f"{name} is not installed"
    return program


def _program(name: str) -> str | None:
    """Debian keeps the servers of its versions outside the PATH."""
    folders = sorted(_DEBIAN.glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
    return shutil.which(name, path=os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")]))


def _free_port() -> int:
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        return each.getsockname()[1]
