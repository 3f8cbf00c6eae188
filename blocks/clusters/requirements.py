"""What a runner needs of the machine that submits its jobs."""

import shutil
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

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


def setting_findings(where: str, settings: Mapping[str, Any], keys: Sequence[str]) -> list[Finding]:
    """A finding for each key that the settings of a runner must have and lack."""
    missing = [key for key in keys if not settings.get(key)]
    return [Finding(f"{where} has no {key!r}", remedy=f"set {key} in {where}") for key in missing]


def package_findings(runner: str, module: str, extra: str) -> list[Finding]:
    """A finding if a package of an extra of ours is not installed."""
    if find_spec(module):
        return []
    message, remedy = f"{runner} needs the package {module}", f"pip install 'compass-llm-eval[{extra}]'"
    return [Finding(message, remedy=remedy, kind=FindingKind.MACHINE)]
