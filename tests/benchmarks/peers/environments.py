"""An environment for each system that is installed from PyPI."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from packaging.requirements import Requirement

_REQUIREMENTS = Path(__file__).with_name("requirements")


class NotInstalled(Exception):
    """An environment could not be made."""


def install(name: str, folder: Path, first: Sequence[str] = ()) -> Path:
    """The interpreter of `folder/name`, which has what `requirements/name.txt` pins; made anew when that file changes.

    `first` names packages of that file without which others of it cannot be built.
    """
    wanted = _REQUIREMENTS / f"{name}.txt"
    environment = folder / name
    python = environment / "bin/python"
    mark = environment / "installed"
    state = hashlib.sha256(wanted.read_bytes()).hexdigest()
    if mark.exists() and mark.read_text() == state:
        return python
    shutil.rmtree(environment, ignore_errors=True)
    environment.mkdir(parents=True)
    log = environment / "install.log"
    _call([sys.executable, "-m", "venv", str(environment)], log)
    if first:
        _call([*_installer(python), "-c", str(wanted), *first], log)
    _call([*_installer(python), "-r", str(wanted)], log)
    # Packages hold files for other versions of Python as well, so not everything compiles.
    subprocess.run([python, "-m", "compileall", "-q", environment / "lib"], stdout=subprocess.DEVNULL, check=False)
    mark.write_text(state)
    return python


def _installer(python: Path) -> list[str]:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    return [uv, "pip", "install", "--python", str(python)] if uv else [str(python), "-m", "pip", "install"]


def _call(command: list[str], log: Path) -> None:
    with log.open("ab") as output:
        status = subprocess.run(command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, check=False).returncode
    if status:
        raise NotInstalled(f"see {log.name}\n{log}: {log.read_text(errors='replace').strip()[-300:]}")


def version(name: str) -> str:
    """What `requirements/name.txt` pins of the system itself, as `1.2.3`; nothing if it has no such file."""
    wanted = _REQUIREMENTS / f"{name}.txt"
    if not wanted.exists():
        return ""
    pins = (Requirement(line) for line in wanted.read_text().splitlines() if not line.startswith("#"))
    return next(str(pin.specifier).removeprefix("==") for pin in pins if pin.name.replace("-", "_") == name)
