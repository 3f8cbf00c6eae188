"""What a command costs: CPU time and memory of the process and of those it waited for."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class CommandFailed(Exception):
    """A measured command did not end with status 0."""


@dataclass(frozen=True)
class Usage:
    """What one command took."""

    cpu: float
    """Seconds, user and system."""
    peak_mb: float
    """Largest resident size of any one process."""
    started: float
    """Clock of `time.monotonic`, which is that of the mock server."""
    output: str
    elapsed: float
    """Seconds from its start to its end."""


def measure(command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Usage:
    """Runs the command to its end; CommandFailed with the end of its output if it fails."""
    log = folder / "command.log"
    with log.open("wb") as output:
        started = time.monotonic()
        process = subprocess.Popen(command, cwd=folder, env=environ, stdout=output, stderr=subprocess.STDOUT)
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            raise
        elapsed = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
    text = log.read_text(errors="replace")
    if process.returncode:
        raise CommandFailed(f"{' '.join(command)} ended with status {process.returncode}:\n{text[-2000:]}")
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, started, text, elapsed)


def cpu_so_far(process: int) -> float:
    """CPU seconds of a running process of this machine."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until_idle(process: int, busy: float = 0.1, timeout: float = 120) -> None:
    """Returns after a second in which the process used less than `busy` seconds of CPU; TimeoutError if none comes."""
    end = time.monotonic() + timeout
    before = cpu_so_far(process)
    while time.monotonic() < end:
        time.sleep(1)
        now = cpu_so_far(process)
        if now - before < busy:
            return
        before = now
    raise TimeoutError(f"process {process} was busy for {timeout:g} s")
