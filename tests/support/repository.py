"""The checkout that the tests belong to."""

import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("blocks", "configs", "deployments", "flows", "tasks")
"""The folders that are shipped."""


def repository_files() -> list[str]:
    """All files that are or would be committed, relative to `ROOT`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


def installed(folder: Path) -> Path:
    """The package as pip leaves it in a folder, as far as Prefect looks for it: its entry points."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    info = folder / "compass_llm_eval-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 0.1.0\n")
    lines = [f"{name} = {module}" for name, module in project["entry-points"]["prefect.collections"].items()]
    (info / "entry_points.txt").write_text("\n".join(["[prefect.collections]", *lines, ""]))
    return folder
