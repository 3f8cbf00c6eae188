"""The process that judges: a sandbox of its own, which hears programs one after the other."""

import os
import socket
from typing import Self

from tasks.score.sandbox.jobs import judge_job
from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.process import SandboxBroken, SandboxedPython
from tasks.score.sandbox.program import Limits, Program
from tasks.score.sandbox.reports import Reports
from tasks.score.sandbox.shipped import judge_code

_FINISH_SECONDS = 2.0


class Judge:
    """Starts with its first program, and anew when one has left it busy."""

    def __init__(self, sandbox: Sandbox, limits: Limits) -> None:
        self._sandbox, self._limits = sandbox, limits
        self._process: SandboxedPython | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> None:
        """Starts the process, if it is not running."""
        if self._process is None:
            self._process = SandboxedPython(self._sandbox, self._limits, judge_code())

    def hear(self, program: Program, channel: socket.socket) -> int:
        """The descriptor from which the verdict can be read, to be closed by `finish`; takes the channel over.

        Raises SandboxBroken.
        """
        self.start()
        assert self._process is not None
        control = self._process.control
        job = judge_job(program, self._sandbox, self._limits)
        verdict, write_verdict = os.pipe()
        try:
            socket.send_fds(control, [len(job).to_bytes(8, "little")], [channel.fileno(), write_verdict])
            control.sendall(job)
        except OSError:
            os.close(verdict)
            raise self.broken() from None
        finally:
            os.close(write_verdict)
            channel.close()
        return verdict

    def finish(self, verdict: int, reports: Reports) -> None:
        """Waits until the process is ready for another program; ends it if that takes long."""
        reports.listen(_FINISH_SECONDS, lambda _: reports.has_ended("judge"))
        os.close(verdict)
        if not reports.has_ended("judge") or not ({("judge", "ended"), ("judge", "expired")} & reports.told.keys()):
            self.end()

    def broken(self) -> SandboxBroken:
        """What the process said; it is ended."""
        error = self._process.broken() if self._process else SandboxBroken("it did not start")
        self.end()
        return error

    def end(self) -> None:
        """Ends the process, if it is running."""
        process, self._process = self._process, None
        if process is not None:
            process.end()
