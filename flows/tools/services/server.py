"""`compass server`: the local Prefect server of this user on this host."""

import argparse
import os
import shlex
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO

from flows.local_server.health import is_up
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.settings import cli_settings
from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import (
    Phase,
    Record,
    ServerFiles,
    address_of,
    keeper_lives,
    read_record,
    runs_using,
    server_files,
)
from flows.prefect_api.server import find_api, give_settings, start_own_server, starting_message
from tasks.spec.storage.printable import counted

_DESCRIPTION = """\
The local Prefect server, which runs report to unless PREFECT_API_URL names another one. A run starts it when it is
needed; it ends after 30 minutes without a run, unless `up` made it permanent."""

SETTINGS_HELP = "settings of Prefect's server for a team: NAME=VALUE lines, e.g. of a database, readable by you alone"

_ACTIONS = {
    "status": "address, password and state (the default)",
    "env": 'the settings for the prefect command: eval "$(compass server env)"',
    "up": "start it, or make the running one permanent: it never ends by itself",
    "down": "stop it",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 0, or 1 if the server is not as asked for. UserError for unusable settings."""
    arguments = _parser().parse_args(argv)
    files = server_files(os.environ)
    match arguments.action:
        case "up":
            return _up(files, arguments.timeout, arguments.settings)
        case "down":
            return _down(files)
        case "env":
            return _env(files)
        case _:
            return _status(files)


def _parser() -> argparse.ArgumentParser:
    actions = "\n".join(f"  {name:<8}{what}" for name, what in _ACTIONS.items())
    parser = argparse.ArgumentParser(
        prog="compass server",
        description=f"{_DESCRIPTION}\n\nactions:\n{actions}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("action", nargs="?", choices=list(_ACTIONS), default="status", metavar="action")
    parser.add_argument("--settings", type=Path, metavar="FILE", help=SETTINGS_HELP)
    patience = "how long `up` waits until the server answers (300)"
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help=patience)
    return parser


def _status(files: ServerFiles) -> int:
    record = read_record(files) if keeper_lives(files) else None
    if record is None:
        _show(["Local Prefect server: down", *_other_server()])
        return 0
    address = address_of(files, record.port)
    _show(
        [
            f"Local Prefect server: {_state(record, address)}",
            f"  pages     {address.ui_url}",
            f"  API       {address.url}",
            f"  password  {address.auth_string}",
            f"  ends      {_end(files, record)}",
            f"  runs      {_runs(files, record)}",
            f"  process   {record.server or '-'} (kept by {record.keeper})",
            f"  files     {files.root}",
            *([f"  settings  {files.settings.readlink()}"] if files.settings.is_symlink() else []),
            *_other_server(),
        ]
    )
    return 0


def _state(record: Record, address: ApiAddress) -> str:
    if record.phase is Phase.UP and not is_up(address):
        return "up, but it does not answer; the next run replaces it"
    return record.phase


def _end(files: ServerFiles, record: Record) -> str:
    if files.permanent.exists():
        return "never by itself; compass server down"
    limit = f"after {_minutes(record.idle_limit)} without a run"
    if record.idle_since is None:
        return limit
    return f"{limit}, in {_minutes(max(0.0, record.idle_since + record.idle_limit - time.time()))}"


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"


def _runs(files: ServerFiles, record: Record) -> str:
    count = runs_using(files)
    if count is None:
        return "none" if record.idle_since else "in use"
    return f"{count} using it now" if count else "none"


def _other_server() -> list[str]:
    other = find_api()
    return [f"Runs report to {other.shown_url} instead, set by: {other.source}"] if other else []


def _env(files: ServerFiles) -> int:
    record = read_record(files) if keeper_lives(files) else None
    if record is None:
        _show(["the local Prefect server is down; `compass server up` starts it"], sys.stderr)
        return 1
    settings = cli_settings(address_of(files, record.port))
    _show(f"export {name}={shlex.quote(value)}" for name, value in settings.items())
    return 0


def _up(files: ServerFiles, timeout: float, settings: Path | None) -> int:
    if settings is not None:
        give_settings(settings)
    if own_address(files) is None or not keeper_lives(files):
        _show([starting_message(files) + " …"], sys.stderr)
    with start_own_server(permanent=True) as server:
        if server.wait(timeout) is None:
            _show([server.problem], sys.stderr)
            return 1
    return _status(files)


def _down(files: ServerFiles) -> int:
    users = runs_using(files)
    if not stop_own_server(files):
        _show(["the local Prefect server was not running"])
        return 0
    left = f"; {counted(users, 'run')} used it and go on without" if users else ""
    _show([f"the local Prefect server is stopped{left}"])
    return 0


def _show(lines: Iterable[str], stream: TextIO | None = None) -> None:
    (stream or sys.stdout).write("".join(f"{line}\n" for line in lines))
