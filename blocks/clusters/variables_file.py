"""Variables for jobs whose scheduler has no private way to hand them over: a file that only its owner can read."""

import os
import secrets
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from blocks.clusters.jobs import Job, Stage

_FOLDER = ".compass-variables"


class VariablesFile:
    """The variables of one stage's jobs, beside the run folder; jobs that start later find them until `remove`.

    The name is that of the run and stage, so a restarted run keeps the file that jobs in the queue were told.
    """

    def __init__(self, run_folder: Path, stage: Stage) -> None:
        root = run_folder.absolute()
        self._folder = root.parent / _FOLDER
        self._name = f"{root.name}.{stage}"
        self._variables = read_variables(self._folder / f"{self._name}.sh")
        """Those of jobs that an earlier process submitted stay in the file."""

    def write(self, job: Job, variables: Mapping[str, str]) -> Path | None:
        """Puts the job's variables into the file; returns its path, None if the job needs none.

        A job that differs from earlier ones in a variable of the same name gets a file of its own.
        """
        if not variables:
            return None
        path = self._folder / f"{self._name}.sh"
        if any(self._variables.get(name, value) != value for name, value in variables.items()):
            return self._written(f"{self._name}.{job.key}.sh", variables)
        if variables.keys() <= self._variables.keys() and path.exists():
            return path
        self._variables |= variables
        return self._written(path.name, self._variables)

    def remove(self) -> None:
        """No job of the stage is left to read it."""
        for path in self._folder.glob(f"{self._name}.*sh"):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # absent, or files of other runs are in it
            self._folder.rmdir()

    def _written(self, name: str, variables: Mapping[str, str]) -> Path:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path, temporary = self._folder / name, self._folder / f".{secrets.token_hex(8)}"
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.writelines(f"export {key}={shlex.quote(value)}\n" for key, value in sorted(variables.items()))
        temporary.replace(path)
        return path


def read_variables(path: Path) -> dict[str, str]:
    """The variables in such a file; none if it is not there."""
    if not path.is_file():
        return {}
    words = shlex.split(path.read_text(encoding="utf-8", errors="surrogateescape"))
    pairs = (word.partition("=") for word in words if word != "export")
    return {name: value for name, _, value in pairs}
