"""What the processes in the sandboxes are told: the program's one its sources, the judge's one the tests."""

import marshal
import secrets
from typing import Any

from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.program import Limits, Program

_USERS = range(61184, 65520)
"""User ids that nobody owns: those that systemd lends to services while they run."""
_OPEN_FILES = 256
_JUDGE_SECONDS = 5.0
"""How much longer than its program a judge may run: it starts earlier."""


def program_job(program: Program, sandbox: Sandbox, limits: Limits, channel: int) -> bytes:
    """`channel` is the descriptor on which the program hears its judge."""
    return marshal.dumps({
        **_bounds(sandbox, limits), "wall_seconds": limits.wall_seconds, "sources": list(program.sources),
        "channel": channel,
    })  # fmt: skip


def judge_job(program: Program, sandbox: Sandbox, limits: Limits) -> bytes:
    """Nothing of the program but what it is tested with."""
    return marshal.dumps({
        **_bounds(sandbox, limits), "wall_seconds": limits.wall_seconds + _JUDGE_SECONDS,
        "tests": list(program.tests), "helpers": program.helpers, "data_only": program.data_only,
    })  # fmt: skip


def _bounds(sandbox: Sandbox, limits: Limits) -> dict[str, Any]:
    resources = {
        "RLIMIT_CPU": limits.cpu_seconds,
        "RLIMIT_AS": limits.memory_bytes,
        "RLIMIT_FSIZE": limits.file_bytes,
        "RLIMIT_NOFILE": _OPEN_FILES,
        "RLIMIT_CORE": 0,
    }
    if sandbox.isolates:  # outside of a sandbox the user's other processes count as well
        resources["RLIMIT_NPROC"] = limits.processes
    return {"limits": resources, "uid": secrets.choice(_USERS) if sandbox.drops_user else None}
