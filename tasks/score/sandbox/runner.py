"""Runs many programs, as many at a time as there are processors, in the best sandbox of this machine."""

import logging
import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue

from tasks.score.sandbox.control_groups import control_groups
from tasks.score.sandbox.judge import Judge
from tasks.score.sandbox.kinds import Sandbox, bubblewrap, no_sandbox, user_namespaces
from tasks.score.sandbox.process import SandboxBroken
from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.run import run_program

_log = logging.getLogger(__name__)
_ATTEMPTS = 3


class NoSandbox(Exception):
    """No kind of sandbox works on this machine; the message says why, kind by kind."""


@dataclass(frozen=True)
class CodeRunner:
    """Runs programs in one sandbox. Evaluators get one as the argument `code_runner` of `score`."""

    sandbox: Sandbox

    def run(self, programs: Sequence[Program], limits: Limits | None = None) -> list[Outcome]:
        """The outcome of each program, in order. Raises SandboxBroken if the sandbox fails rather than a program."""
        limits = limits or Limits()
        workers = max(1, min(len(programs), _processors()))
        with ExitStack() as stack:
            free: SimpleQueue[tuple[list[Path], Judge]] = SimpleQueue()
            for _ in range(workers):
                groups = stack.enter_context(control_groups(limits)) if self.sandbox.isolates else []
                free.put((groups, stack.enter_context(Judge(self.sandbox, limits))))
            pool = stack.enter_context(ThreadPoolExecutor(workers, "programs"))
            stack.callback(pool.shutdown, cancel_futures=True)
            return list(pool.map(lambda program: self._run(program, limits, free), programs))

    def _run(self, program: Program, limits: Limits, free: "SimpleQueue[tuple[list[Path], Judge]]") -> Outcome:
        groups, judge = free.get()
        try:
            for _ in range(_ATTEMPTS - 1):
                try:
                    return run_program(program, self.sandbox, limits, groups, judge)
                except SandboxBroken as error:
                    _log.warning("the sandbox failed and is started again: %s", error)
            return run_program(program, self.sandbox, limits, groups, judge)
        finally:
            free.put((groups, judge))


def code_runner(*, unsafe: bool = False) -> CodeRunner:
    """A runner in the best sandbox there is; only with `unsafe` is there one without a sandbox where none works.

    Raises NoSandbox.
    """
    try:
        return CodeRunner(find_sandbox())
    except NoSandbox as error:
        if not unsafe:
            raise
        _log.warning("programs that models wrote run with your own rights: %s", error)
        return CodeRunner(no_sandbox())


@cache
def find_sandbox() -> Sandbox:
    """The first kind of sandbox that works here: it is tried. Raises NoSandbox."""
    reasons: list[str] = []
    executable = shutil.which("bwrap")
    if executable is None:
        reasons.append("bubblewrap: not installed")
    for sandbox in [*([bubblewrap(executable)] if executable else []), user_namespaces()]:
        reason = what_is_wrong(sandbox)
        if not reason:
            return sandbox
        reasons.append(f"{sandbox.name}: {reason}")
    raise NoSandbox("; ".join(reasons))


def what_is_wrong(sandbox: Sandbox) -> str:
    """Why the sandbox cannot run the simplest program; empty if it can."""
    try:
        outcome = run_program(Program(("x = 1",), ("assert x == 1",)), sandbox, Limits())
    except (OSError, SandboxBroken) as error:
        return str(error)
    return "" if outcome.verdict is Verdict.PASSED else outcome.error


def _processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
