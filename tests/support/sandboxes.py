"""The sandboxes of this machine, and what runs on it outside of them."""

import shutil
from pathlib import Path

from tasks.score.sandbox.kinds import Sandbox, bubblewrap, user_namespaces
from tasks.score.sandbox.program import Limits, Outcome, Program
from tasks.score.sandbox.run import run_program
from tasks.score.sandbox.runner import what_is_wrong


def working_sandboxes() -> list[Sandbox]:
    """Every kind that works here; on a machine for tests there is at least one."""
    executable = shutil.which("bwrap")
    kinds = [*([bubblewrap(executable)] if executable else []), user_namespaces()]
    return [sandbox for sandbox in kinds if not what_is_wrong(sandbox)]


def run(source: str, sandbox: Sandbox, *tests: str, groups: tuple[Path, ...] = (), **limits: float) -> Outcome:
    """Runs one program; `limits` are those that differ from the usual ones."""
    return run_program(Program((source,), tests), sandbox, Limits(**limits), groups)  # pyright: ignore[reportArgumentType]


def processes_with(mark: str) -> list[str]:
    """Command lines of this machine's processes that hold `mark`."""
    lines: list[str] = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended meanwhile
            continue
        lines += [line] if mark in line else []
    return lines
