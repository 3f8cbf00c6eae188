"""Starts commands that end with this process, however it ends.

Every command runs in a process group of its own under a small watching process (`supervisor_watch.py`), which ends
the whole group when the pipe to this process closes, even after SIGKILL.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_WATCHER = Path(__file__).with_name("supervisor_watch.py").resolve()
_DEFAULT_GRACE_SECONDS = 3.0
_TAIL_BYTES = 32_768


class CommandNotStarted(OSError):
    """The command could not be executed; `errno` and the text say why."""


class Supervised:
    """A running command; ends with this process, or by `stop`, or by itself. Also a context manager that stops it."""

    def __init__(
        self, command: Sequence[str], watcher: "subprocess.Popen[bytes]", control: int, status: int, log: Path | None
    ) -> None:
        self.command = tuple(command)
        self.log = log
        self._watcher = watcher
        self._control: int | None = control
        self._status = os.fdopen(status, "rb")
        self._returncode: int | None = None
        self.pid = self._started()
        """Of the command itself, which also leads its process group."""

    @property
    def returncode(self) -> int | None:
        """As of the last `poll` or `wait`: the exit status, negative for a signal; None while it runs."""
        return self._returncode

    def poll(self) -> int | None:
        """The exit status if the command has ended."""
        if self._returncode is None and self._watcher.poll() is not None:
            self._ended()
        return self._returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status once the command has ended; subprocess.TimeoutExpired if it takes more seconds than that."""
        if self._returncode is None:
            self._watcher.wait(timeout)
            self._ended()
        assert self._returncode is not None
        return self._returncode

    def stop(self, grace: float = _DEFAULT_GRACE_SECONDS) -> int:
        """Ends the whole group: SIGTERM, and after `grace` seconds SIGKILL. Returns the command's exit status."""
        if self._control is not None and self.poll() is None:
            with contextlib.suppress(BrokenPipeError):
                os.write(self._control, f"stop {grace}\n".encode())
        return self.wait()

    def tail(self, lines: int = 20) -> str:
        """The last lines of the log; empty without one."""
        if self.log is None or not self.log.is_file():
            return ""
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - _TAIL_BYTES))
            return "\n".join(file.read().decode("utf-8", "replace").splitlines()[-lines:])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _started(self) -> int:
        word, _, value = self._status.readline().decode().partition(" ")
        if word == "started":
            return int(value)
        self._watcher.wait()
        self._close()
        if word != "failed":
            raise CommandNotStarted(
                f"the process that supervises {self.command[0]!r} ended with {self._watcher.returncode}"
            )
        number = int(value)
        raise CommandNotStarted(number, os.strerror(number), self.command[0])

    def _ended(self) -> None:
        word, _, value = self._status.readline().decode().partition(" ")
        if word == "exited":
            self._returncode = int(value)
        else:
            self._returncode = self._watcher.returncode
            _kill_group(self.pid)
        self._close()

    def _close(self) -> None:
        self._status.close()
        if self._control is not None:
            os.close(self._control)
            self._control = None


def start(
    command: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: Path | None = None, log: Path | None = None
) -> Supervised:
    """Starts `command` with its output appended to `log` (discarded without one); an OSError if that cannot be done.

    `env` replaces the whole environment, as in `subprocess`.
    """
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    with (log or Path(os.devnull)).open("ab") as output:
        watcher, control, status = _start_watcher(command, env, cwd, output.fileno())
    return Supervised(command, watcher, control, status, log)


def _start_watcher(
    command: Sequence[str], env: Mapping[str, str] | None, cwd: Path | None, output: int
) -> "tuple[subprocess.Popen[bytes], int, int]":
    control_read, control = os.pipe()
    status, status_write = os.pipe()
    arguments = [str(os.getpid()), str(control_read), str(status_write), str(_DEFAULT_GRACE_SECONDS), *command]
    try:
        watcher = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_WATCHER), *arguments],
            env=env,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(control_read, status_write),
            start_new_session=True,
        )
    except BaseException:
        os.close(control)
        os.close(status)
        raise
    finally:
        os.close(control_read)
        os.close(status_write)
    return watcher, control, status


def _kill_group(pid: int) -> None:
    """For a watcher that was itself killed: what it watched must not stay behind."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
