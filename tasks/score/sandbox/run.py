"""Runs one program in a sandbox while a judge in another one tests it, and reads what became of it."""

import re
import signal
import socket
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tasks.score.sandbox.jobs import program_job
from tasks.score.sandbox.judge import Judge
from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.process import SandboxBroken, SandboxedPython, shortened
from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.reports import Reports, Told
from tasks.score.sandbox.shipped import program_code

_START_SECONDS = 60.0
"""How long a busy machine may take to start a sandbox."""
_LAST_SECONDS = 2.0
"""How long what watches a program may take to say how it ended."""
_JUDGE_SECONDS = 10.0
_MOST = 0.8
"""The system counts processor time for limits in another way than for its report, which may be less."""
_FINAL = {("judge", word) for word in (*map(str, Verdict), "gone", "ended", "expired")}
_PROGRAM_FINAL = {("program", "ended"), ("program", "expired")}


def run_program(
    program: Program, sandbox: Sandbox, limits: Limits, groups: Sequence[Path] = (), judge: Judge | None = None
) -> Outcome:
    """Runs the program; an isolating sandbox leaves none of its processes and files behind.

    `groups` are control groups that the sandbox joins; without a judge the program gets one of its own. Raises
    SandboxBroken if a sandbox fails, not the program.
    """
    if not any(source.strip() for source in program.sources):
        return Outcome(Verdict.REFUSED, "there is no program in the answer")
    if program.size > limits.source_length:
        return Outcome(Verdict.REFUSED, f"the program has more than {limits.source_length} characters")
    if judge is None:
        with Judge(sandbox, limits) as own:
            return run_program(program, sandbox, limits, groups, own)
    judge.start()
    of_judge, of_program = socket.socketpair()
    with closing(of_judge):
        with closing(of_program):
            given = program_code() + program_job(program, sandbox, limits, of_program.fileno())
            process = SandboxedPython(sandbox, limits, given, groups=groups, descriptors=[of_program.fileno()])
        try:
            verdict = judge.hear(program, of_judge)
        except SandboxBroken:
            process.end()
            raise
        return _heard(process, judge, verdict, limits)


def _heard(process: SandboxedPython, judge: Judge, verdict: int, limits: Limits) -> Outcome:
    """Ends the process of the program, and makes the judge ready for the next one."""
    reports = Reports({process.control.fileno(): "program", verdict: "judge"})
    try:
        seconds = _START_SECONDS + limits.wall_seconds + _JUDGE_SECONDS
        reports.listen(seconds, lambda told: bool(_FINAL & told.keys()) or ("program", "expired") in told)
        if ("judge", "gone") in reports.told:
            reports.listen(_LAST_SECONDS, lambda told: bool(_PROGRAM_FINAL & told.keys()))
        if ("program", "started") not in reports.told:
            raise process.broken()
        if reports.has_ended("judge") and not _FINAL & reports.told.keys():
            raise judge.broken()
        return _outcome(reports.told, limits)
    finally:
        reports.leave("program")
        process.end()
        judge.finish(verdict, reports)


def _verdict(told: Told) -> Verdict | None:
    return next((verdict for verdict in Verdict if ("judge", str(verdict)) in told), None)


def _outcome(told: Told, limits: Limits) -> Outcome:
    reading = int(told["program", "started"][0])
    verdict = _verdict(told)
    if verdict:
        return Outcome(verdict, shortened(told["judge", str(verdict)][1]), reading)
    if ("program", "expired") in told or ("judge", "expired") in told:
        return Outcome(Verdict.TIMEOUT, "it did not end in time", reading)
    if ("judge", "gone") not in told and ("judge", "ended") in told:
        verdict, error = _end_of_process(*told["judge", "ended"], limits)
        return Outcome(verdict, f"its judge: {error}", reading)
    if ("program", "ended") in told:
        verdict, error = _end_of_process(*told["program", "ended"], limits)
        return Outcome(verdict, error, reading)
    if ("judge", "gone") in told:
        return Outcome(Verdict.FAILED, "it closed the channel to its judge", reading)
    return Outcome(Verdict.TIMEOUT, "it did not end in time", reading)


def _end_of_process(status: float, cpu_seconds: str, limits: Limits) -> tuple[Verdict, str]:
    """The process ended itself, or was killed."""
    used = float(cpu_seconds) if re.fullmatch(r"\d{1,9}\.\d\d", cpu_seconds) else 0.0
    if -status == signal.SIGXCPU or used >= _MOST * limits.cpu_seconds:  # it may ignore the signal
        return Verdict.TIMEOUT, "it took too much time"
    if -status in signal.valid_signals():
        return Verdict.FAILED, f"it was killed by {signal.Signals(-int(status)).name}"
    return Verdict.FAILED, f"it ended before its tests did, with status {int(status)}"
