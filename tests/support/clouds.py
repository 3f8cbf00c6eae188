"""Clouds on this machine: stand-ins for their command line tools, which really run the jobs."""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROGRAM = Path(__file__).with_name("cloud_program.py")
_NAMES = ("dlc", "volc", "rjob", "conda")
VOLC_FILE = """\
ImageUrl: "registry.example/compass:1"
Framework: Custom
TaskRoleSpecs:
- RoleName: "worker"
  RoleReplicas: 1
  Flavor: "ml.to.be.set"
"""


@dataclass
class Cloud:
    """A folder with the tools and with what they know."""

    folder: Path

    @property
    def environ(self) -> dict[str, str]:
        """In which the tools are found, and only stand-ins for Python's environment."""
        return {"PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}

    def behave(self, **behaviour: Any) -> None:
        """What goes wrong: `waits` and `unreadable` answers, `refused` submissions, `fails` names, `failures` each."""
        (self.folder / "behaviour.json").write_text(json.dumps(behaviour))

    def calls(self, *begin: str) -> list[list[str]]:
        """Command lines that begin with these words, in order."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [call for call in map(json.loads, lines) if call[: len(begin)] == list(begin)]

    def written(self) -> bytes:
        """Everything that the clouds know: command lines, output of jobs, descriptions."""
        return b"\n".join(path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file())


def make_cloud(folder: Path, **behaviour: Any) -> Cloud:
    """The tools in a new folder."""
    (folder / "bin").mkdir(parents=True)
    source = _PROGRAM.read_text().replace("FOLDER", str(folder)).replace("PREFIX", sys.prefix)
    for name in _NAMES:
        program = folder / "bin" / name
        program.write_text(f"#!{sys.executable} -SE\n{source}")
        program.chmod(0o755)
    cloud = Cloud(folder)
    cloud.behave(**behaviour)
    return cloud
