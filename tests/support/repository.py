"""The checkout that the tests belong to."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("blocks", "configs", "deployments", "flows", "tasks")
"""The folders that are shipped."""


def repository_files() -> list[str]:
    """All files that are or would be committed, relative to `ROOT`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())
