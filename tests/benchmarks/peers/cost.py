"""What commands cost with all processes that they start: CPU time, elapsed time, and both until a moment between."""

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

from benchmarks.peers.peer import Command, Commands
from benchmarks.processes import CommandFailed

_INHERITED = ("PATH", "HOME", "LANG")
_SET_CHILD_SUBREAPER = 36
"""Of prctl(2): orphans of a measured command become children of this process, which can then ask what they took."""


class Running:
    """A command that was started in a session of its own."""

    def __init__(self, command: Command, folder: Path) -> None:
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        environ = {name: os.environ[name] for name in _INHERITED if name in os.environ} | dict(command.environ)
        self._arguments = command.arguments
        self._log = folder / "command.log"
        with self._log.open("wb") as log:
            self.started = time.monotonic()
            self._process = subprocess.Popen(
                command.arguments, cwd=folder, env=environ, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip

    def cpu_so_far(self) -> float:
        """CPU seconds of the command and all its descendants, ended or not."""
        tick = os.sysconf("SC_CLK_TCK")
        return sum(sum(map(int, _stat(process)[11:15])) for process in self._tree()) / tick

    def finish(self, timeout: float) -> tuple[float, float, int]:
        """CPU seconds, elapsed seconds and exit status; what is then left of the command is killed.

        CommandFailed after `timeout` seconds.
        """
        timer = Timer(timeout, self.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(self._process.pid, 0)
        except BaseException:
            self.kill()
            raise
        finally:
            timer.cancel()
        elapsed = time.monotonic() - self.started
        self._process.returncode = os.waitstatus_to_exitcode(status)
        if elapsed >= timeout:
            raise CommandFailed(f"took longer than {timeout:g} s")
        return usage.ru_utime + usage.ru_stime + self._reap(), elapsed, self._process.returncode

    def kill(self) -> None:
        """SIGKILL for the command and its descendants."""
        for process in self._tree():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def end(self) -> None:
        """Kills what is left, and returns when nothing is."""
        self.kill()
        self._reap()

    def complaint(self) -> str:
        """The end of its output, for an error."""
        return f"{' '.join(self._arguments)[:300]}\n{self._log.read_text(errors='replace')[-1500:]}"

    def _tree(self) -> list[int]:
        """The command, its descendants, and orphans of its session."""
        parents: dict[int, int] = {}
        found = {self._process.pid}
        for process in [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]:
            fields = _stat(process)
            if len(fields) > 3:
                parents[process] = int(fields[1])
                if int(fields[3]) == self._process.pid:
                    found.add(process)
        for _ in range(len(parents)):
            more = {process for process, parent in parents.items() if parent in found} - found
            if not more:
                break
            found |= more
        return sorted(found)

    def _reap(self) -> float:
        """CPU seconds of orphans; those that still run are killed."""
        cpu = 0.0
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        while True:
            try:
                _, _, usage = os.wait4(-self._process.pid, 0)
            except ChildProcessError:
                return cpu
            cpu += usage.ru_utime + usage.ru_stime


@contextmanager
def running(command: Command, folder: Path) -> Iterator[Running]:
    """Nothing of the command is left after the block."""
    started = Running(command, folder)
    try:
        yield started
    finally:
        started.end()


def run(commands: Commands, folder: Path, timeout: float, *, must_succeed: bool = True) -> tuple[float, float]:
    """CPU and elapsed seconds of all; CommandFailed if one fails and must not."""
    cpu = elapsed = 0.0
    for command in commands:
        with running(command, folder) as started:
            took, lasted, status = started.finish(timeout)
        if status and must_succeed:
            raise CommandFailed(f"ended with status {status}\n{started.complaint()}")
        cpu, elapsed = cpu + took, elapsed + lasted
    return cpu, elapsed


def _stat(process: int) -> list[str]:
    """Fields of /proc/PID/stat after the name; none if the process is gone."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
