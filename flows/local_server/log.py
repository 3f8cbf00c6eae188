"""The log file of the local server, which keeper and server append to."""

import os
import time

from flows.local_server.state import ServerFiles
from tasks.spec.storage.run_folder import write_atomically


def append_log(files: ServerFiles, line: str) -> None:
    """Adds a line with the time to the server's log."""
    with files.log.open("a", encoding="utf-8") as log:
        log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} compass: {line}\n")


def log_tail(files: ServerFiles, lines: int = 5) -> str:
    """The last lines of the server's log."""
    try:
        return "\n".join(files.log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError:
        return ""


def shorten_log(files: ServerFiles, limit: int = 5_000_000) -> None:
    """Moves a log above `limit` bytes to `server.log.1`; its writers go on, for they append."""
    if files.log.exists() and files.log.stat().st_size > limit:
        write_atomically(files.log.with_name("server.log.1"), files.log.read_bytes())
        os.truncate(files.log, 0)
