"""The files by which runs, keeper and commands find the local Prefect server: its record, its password, its locks."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from flows.local_server.local_disk import private_folder, state_folder
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.settings_file import AUTH_STRING, given_settings, host
from tasks.spec.storage.file_locks import locked, try_lock
from tasks.spec.storage.json_text import parse_json
from tasks.spec.storage.run_folder import write_atomically, write_json

IDLE_LIMIT_S = 1800.0


class Phase(StrEnum):
    """How far a server is, as its keeper last wrote it."""

    STARTING = "starting"
    UP = "up"
    STOPPING = "stopping"
    FAILED = "failed"


@dataclass(frozen=True)
class Record:
    """What a keeper tells about its server; it counts only while that keeper lives."""

    keeper: int
    """Process id."""
    server: int
    """Process id."""
    port: int
    phase: Phase
    idle_limit: float
    """Seconds without a run after which the server ends."""
    idle_since: float | None = None
    """Unix time since when no run uses it; None while one does."""
    problem: str = ""


class ServerFiles(NamedTuple):
    """Paths below the server's folder."""

    root: Path

    @property
    def record(self) -> Path:
        return self.root / "server.json"

    @property
    def password(self) -> Path:
        return self.root / "password"

    @property
    def settings(self) -> Path:
        """A link to the file with the settings that its user wants; there is none for a server of one's own."""
        return self.root / "settings"

    @property
    def permanent(self) -> Path:
        """Exists while the server must not end by itself."""
        return self.root / "permanent"

    @property
    def log(self) -> Path:
        return self.root / "server.log"

    @property
    def home(self) -> Path:
        """PREFECT_HOME of the server: its database."""
        return self.root / "home"

    @property
    def client_home(self) -> Path:
        """PREFECT_HOME of the runs."""
        return self.root / "client"

    @property
    def authority(self) -> Path:
        """A file with one certificate authority, for clients that insist on having some."""
        return self.client_home / "authority.pem"

    @property
    def start_lock(self) -> Path:
        """Exclusive for who starts or ends a keeper, shared for who looks whether one lives."""
        return self.root / "start.lock"

    @property
    def keeper_lock(self) -> Path:
        """Exclusive for the life of a keeper."""
        return self.root / "keeper.lock"

    @property
    def server_lock(self) -> Path:
        """Exclusive for the life of a server, even when its keeper was killed."""
        return self.root / "server.lock"

    @property
    def runs_lock(self) -> Path:
        """Shared by the runs that use the server."""
        return self.root / "runs.lock"


def server_files(environ: Mapping[str, str]) -> ServerFiles:
    """Where the files of this user's server on this host are; creates nothing."""
    return ServerFiles(state_folder(environ) / "server")


def create_files(files: ServerFiles) -> None:
    """Creates the folders, readable by their owner alone."""
    for folder in (files.root, files.home, files.client_home):
        private_folder(folder)
    if not files.authority.exists():
        import certifi

        first, end, _ = certifi.contents().partition("-----END CERTIFICATE-----")
        write_atomically(files.authority, f"{first}{end}\n".encode())


def password(files: ServerFiles) -> str:
    """The auth string that its user gave, else `compass:<secret>`, made at first use (under the start lock)."""
    if given := given_settings(files.settings).get(AUTH_STRING):
        return given
    try:
        if text := files.password.read_text(encoding="utf-8").strip():
            return text
    except FileNotFoundError:
        pass
    text = f"compass:{secrets.token_urlsafe(18)}"
    temporary = files.password.with_suffix(".tmp")
    temporary.unlink(missing_ok=True)
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text + "\n")
    temporary.replace(files.password)
    return text


def address_of(files: ServerFiles, port: int) -> ApiAddress:
    """The API of our own server on that port."""
    url = f"http://{host(given_settings(files.settings))}:{port}/api"
    return ApiAddress(url, auth_string=password(files), source="local server", own=True)


def read_record(files: ServerFiles) -> Record | None:
    """What the keeper wrote last; None if there is nothing readable."""
    try:
        value = parse_json(files.record.read_bytes())
        return replace(Record(**value), phase=Phase(value["phase"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_record(files: ServerFiles, record: Record) -> None:
    """Replaces the record."""
    write_json(files.record, asdict(record))


def keeper_lives(files: ServerFiles) -> bool:
    """Whether a keeper of ours runs; waits while one is being started or ended."""
    if not files.start_lock.exists():
        return False
    with locked(files.start_lock, shared=True):
        descriptor = try_lock(files.keeper_lock, shared=True)
        if descriptor is not None:
            os.close(descriptor)
    return descriptor is None


def runs_using(files: ServerFiles, locks: Path = Path("/proc/locks")) -> int | None:
    """How many processes hold the runs' lock; None where the system does not tell."""
    try:
        inode = str(files.runs_lock.stat().st_ino)
        lines = [line.split() for line in locks.read_text(encoding="ascii").splitlines()]
    except FileNotFoundError:
        return None if not locks.exists() else 0
    except OSError:
        return None
    shared = (line for line in lines if line[1:4] == ["FLOCK", "ADVISORY", "READ"])
    return len({line[4] for line in shared if line[5].rpartition(":")[2] == inode})
