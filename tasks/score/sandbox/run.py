"""Runs one program in a sandbox and reads what became of it."""

import marshal
import os
import secrets
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import IO

from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.visible_files import FOLDER, environment

_ERROR_LENGTH = 300
_USERS = range(61184, 65520)
"""User ids that nobody owns: those that systemd lends to services while they run."""
_START_SECONDS = 60.0
"""How long a busy machine may take to start a sandbox."""
_END_SECONDS = 5.0
_LINE_BYTES = 8 << 10
_OPEN_FILES = 256
_TIMEOUTS = (signal.SIGXCPU,)
_JOIN = 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'


class SandboxBroken(Exception):
    """The sandbox did not come to run the program; the message is what it said."""


def run_program(program: Program, sandbox: Sandbox, limits: Limits, groups: Sequence[Path] = ()) -> Outcome:
    """Runs the program; an isolating sandbox leaves none of its processes and files behind.

    `groups` are control groups that the sandbox joins. Raises SandboxBroken if the sandbox fails, not the program.
    """
    if not any(source.strip() for source in program.sources):
        return Outcome(Verdict.REFUSED, "there is no program in the answer")
    if program.size > limits.source_length:
        return Outcome(Verdict.REFUSED, f"the program has more than {limits.source_length} characters")
    own_folder = nullcontext(FOLDER) if sandbox.isolates else tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    token = secrets.token_hex(8)
    with own_folder as folder, tempfile.TemporaryFile() as job, tempfile.TemporaryFile() as errors:
        job.write(_job(program, sandbox, limits, token))
        job.seek(0)
        process = subprocess.Popen(
            _joining(groups, sandbox.command(limits)),
            stdin=job,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment(folder),
            cwd="/" if sandbox.isolates else folder,
            start_new_session=True,
        )
        try:
            return _outcome(process, token, limits, errors)
        finally:
            _end(process)


def shortened(text: str) -> str:
    """One line of printable characters, short enough for a table."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _ERROR_LENGTH else f"{line[: _ERROR_LENGTH - 1]}…"


def _job(program: Program, sandbox: Sandbox, limits: Limits, token: str) -> bytes:
    resources = {
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_AS": limits.memory_bytes,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": _OPEN_FILES,
        "RLIMIT_CORE": 0,
    }
    if sandbox.isolates:  # outside of a sandbox the user's other processes count as well
        resources["RLIMIT_NPROC"] = limits.processes
    return marshal.dumps(
        {
            "token": token,
            "limits": resources,
            "uid": secrets.choice(_USERS) if sandbox.drops_user else None,
            "wall_seconds": limits.wall_seconds,
            "sources": list(program.sources),
            "tests": list(program.tests),
        }
    )


def _joining(groups: Sequence[Path], command: list[str]) -> list[str]:
    """A process joins a control group before it is the sandbox, so that nothing it starts is outside."""
    return ["/bin/sh", "-c", _JOIN, "sh", *map(str, groups), "--", *command] if groups else command


def _outcome(process: "subprocess.Popen[bytes]", token: str, limits: Limits, errors: IO[bytes]) -> Outcome:
    lines = {word: (number, text) for word, number, text in _report(process, token, limits)}
    verdict = next((verdict for verdict in Verdict if verdict in lines), None)
    if verdict:
        reading, error = lines[verdict]
        return Outcome(verdict, shortened(error), reading)
    if "started" not in lines:
        _end(process)
        raise SandboxBroken(_what_it_said(errors) or f"it ended with status {process.returncode}")
    if "ended" in lines:
        return _without_verdict(lines["ended"][0])
    if "expired" in lines:
        return Outcome(Verdict.TIMEOUT, "it did not end in time")
    return Outcome(Verdict.FAILED, "it ended the process that watched it")


def _report(process: "subprocess.Popen[bytes]", token: str, limits: Limits) -> Iterator[tuple[str, int, str]]:
    """Word, number and text of the lines that have the token, up to the last; what the program wrote is dropped."""
    assert process.stdout is not None
    channel, rest = process.stdout.fileno(), b""
    deadline = time.monotonic() + _START_SECONDS + limits.wall_seconds
    while chunk := _read(channel, deadline):
        *lines, rest = (rest[-_LINE_BYTES:] + chunk).split(b"\n")
        for line in lines:
            own, _, words = line.decode("utf-8", "replace").partition(" ")
            if own == token:
                word, number, text = words.split(" ", 2)
                yield word, int(number), text
                if word in ("ended", "expired"):
                    return


def _read(channel: int, deadline: float) -> bytes:
    """What there is to read; empty at the end of the file and at the deadline."""
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
    return os.read(channel, 65536) if ready else b""


def _without_verdict(status: int) -> Outcome:
    """The program ended its process itself, or was killed."""
    if -status in _TIMEOUTS:
        return Outcome(Verdict.TIMEOUT, "it took too much time")
    if -status in signal.valid_signals():
        return Outcome(Verdict.FAILED, f"it was killed by {signal.Signals(-status).name}")
    return Outcome(Verdict.FAILED, f"it ended before its tests did, with status {status}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Waits for the sandbox, which ends with its first process, and kills what hangs or what no sandbox held."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END_SECONDS)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _what_it_said(errors: IO[bytes]) -> str:
    errors.seek(0)
    return shortened(errors.read(_LINE_BYTES).decode("utf-8", "replace"))
