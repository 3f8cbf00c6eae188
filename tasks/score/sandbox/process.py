"""A Python in a sandbox, which reports line by line and ends when nobody listens any more."""

import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.program import Limits
from tasks.score.sandbox.visible_files import FOLDER, environment

_ERROR_LENGTH = 300
_SAID_BYTES = 8 << 10
_END_SECONDS = 5.0
_JOIN = 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'


class SandboxBroken(Exception):
    """The sandbox did not come to run the program; the message is what it said."""


class SandboxedPython:
    """Runs the code `given` on standard input; `control` is the socket that it has as standard output."""

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        given: bytes,
        *,
        groups: Sequence[Path] = (),
        descriptors: Sequence[int] = (),
    ) -> None:
        """It joins the control groups and has the descriptors."""
        self._files = ExitStack()
        self._errors = self._files.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 closed by `end`
        folder = FOLDER
        if not sandbox.isolates:
            folder = self._files.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        self.control, theirs = socket.socketpair()
        with theirs, tempfile.TemporaryFile() as file:
            file.write(given)
            file.seek(0)
            try:
                self._process = subprocess.Popen(
                    _joining(groups, sandbox.command(limits)),
                    stdin=file,
                    stdout=theirs.fileno(),
                    stderr=self._errors,
                    env=environment(folder),
                    cwd="/" if sandbox.isolates else folder,
                    start_new_session=True,
                    pass_fds=descriptors,
                )
            except OSError:
                self.control.close()
                self._files.close()
                raise

    def end(self) -> None:
        """Waits for the sandbox, which ends with its first process; kills what hangs or what no sandbox held."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._files.close()

    def broken(self) -> SandboxBroken:
        """What it said instead of doing its work."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        self._errors.seek(0)
        said = shortened(self._errors.read(_SAID_BYTES).decode("utf-8", "replace"))
        return SandboxBroken(said or f"it ended with status {self._process.returncode}")


def shortened(text: str) -> str:
    """One line of printable characters, short enough for a table."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _ERROR_LENGTH else f"{line[: _ERROR_LENGTH - 1]}…"


def _joining(groups: Sequence[Path], command: list[str]) -> list[str]:
    """A process joins a control group before it is the sandbox, so that nothing it starts is outside."""
    return ["/bin/sh", "-c", _JOIN, "sh", *map(str, groups), "--", *command] if groups else command
