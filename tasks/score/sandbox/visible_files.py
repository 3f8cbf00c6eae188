"""What a program in a sandbox can see of the machine: an interpreter, its libraries, and a folder of its own."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tasks.score.sandbox.shipped import BOOT

_LIBRARIES = ("/usr", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
FOLDER = "/tmp"
"""The program's temporary folder, working folder and home."""


@dataclass(frozen=True)
class View:
    """Paths are the same inside and outside."""

    interpreter: str
    read_only: tuple[tuple[str, str], ...]
    """Source and place inside."""
    links: tuple[tuple[str, str], ...]
    """Place inside and what it leads to."""
    devices: tuple[str, ...]

    @property
    def folders(self) -> list[str]:
        """Folders to make, parents first, so that the places exist and anyone may pass through them."""
        places = [place for _, place in self.read_only] + [place for place, _ in self.links] + list(self.devices)
        parents = {str(parent) for place in places for parent in Path(place).parents}
        return sorted(parents - {"/"} - {place for _, place in self.read_only})


def sandbox_view() -> View:
    """The view for the interpreter that runs this process."""
    executable = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
    own = [executable, *(Path(sys.base_prefix, name) for name in ("lib", "lib64"))]
    wanted = [Path(path) for path in _LIBRARIES] + [path for path in own if not path.is_relative_to("/usr")]
    found = [path for path in wanted if path.exists()]
    links = tuple((str(path), str(path.readlink())) for path in found if path.is_symlink())
    binds = tuple((str(path), str(path)) for path in found if not path.is_symlink())
    return View(str(executable), binds, links, tuple(filter(os.path.exists, _DEVICES)))


def python_command(interpreter: str) -> list[str]:
    """Starts what comes on standard input, without site-packages, and so in a few milliseconds."""
    return [interpreter, "-s", "-S", "-P", "-B", "-W", "ignore", "-X", "utf8", "-c", BOOT]


def environment(folder: str) -> dict[str, str]:
    """All that a program finds in its environment; a fixed hash seed makes a set's order the same in every run."""
    return {
        "HOME": folder, "TMPDIR": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0",
    }  # fmt: skip
