"""What a runner needs of the machine that submits its jobs."""

import shutil
from pathlib import Path

from tasks.spec.findings import Finding, FindingKind


def command_findings(runner: str, command: str) -> list[Finding]:
    """A finding if the command line tool that submits jobs is not there."""
    if shutil.which(command):
        return []
    remedy = f"run this where {command} is installed, or choose another runner with --runner"
    return [
        Finding(
            f"{runner} needs the command {command!r}, which is not on the PATH", remedy=remedy, kind=FindingKind.MACHINE
        )
    ]


def file_findings(runner: str, what: str, path: str | None) -> list[Finding]:
    """A finding if a file that the runner reads is not there; none where no path is given."""
    if not path or Path(path).expanduser().is_file():
        return []
    message = f"{runner}: there is no {what} {path}"
    return [Finding(message, remedy="correct the path", kind=FindingKind.MACHINE)]
