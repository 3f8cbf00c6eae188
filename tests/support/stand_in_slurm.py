"""Commands that answer as Slurm's do, counted; what they say stands in files of their folder.

`states` is what squeue prints; with `works`, submitted inference jobs are done by one process that runs them all, and
`states` tells how far it is.
"""

import os
import re
import shlex
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

if __name__ == "__main__":  # run as a script, which knows only the folder it lies in
    sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2])]

_SAID = """#!/bin/sh
here=$PWD
cd {folder} || exit 1
echo "{name} $*" >> calls
"""
_COMMANDS = {
    "sbatch": """
if [ -s refuses ]; then cat refuses >&2; exit 1; fi
number=$(($(ls | grep -c '^script') + 1))
cat > script$number
echo "$*" > options$number
if [ -e works ]; then (cd "$here" && exec setsid {python} {program} {folder} $number) > work.log 2>&1 & fi
echo $number
""",
    "squeue": "cat states 2>/dev/null",
    "sacct": "echo 'Slurm accounting storage is disabled' >&2; exit 1",
    "scontrol": "if [ \"$2\" = config ]; then echo 'MaxArraySize = 1001'; else cat details 2>/dev/null; fi; true",
    "scancel": "true",
}
_ELEMENT = re.compile(r"^(\d+)\) log=.*?; set -- (.*);;$", re.MULTILINE)
_AT_A_TIME, _THREADS = 100, 16


class StandInSlurm:
    """The commands, in a folder that goes onto the PATH."""

    def __init__(self, folder: Path, *, works: bool = False) -> None:
        self.folder = folder
        folder.mkdir()
        for name, body in _COMMANDS.items():
            text = (_SAID + body).format(folder=folder, name=name, python=sys.executable, program=__file__)
            (folder / name).write_text(text)
            (folder / name).chmod(stat.S_IRWXU)
        if works:
            (folder / "works").touch()

    @property
    def path(self) -> str:
        """The PATH with these commands before all others."""
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    @property
    def calls(self) -> list[str]:
        """The commands that were given, with their arguments."""
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []

    def says(self, file: str, text: str) -> None:
        """Sets what a command prints."""
        (self.folder / file).write_text(text)


def work(folder: Path, number: str) -> None:
    """Does the jobs of one submission, in one session: what each costs by itself is not measured here."""
    from tasks.data.loading import DatasetCache
    from tasks.infer.job_file import read_job_file
    from tasks.infer.progress import Progress
    from tasks.infer.session import InferSession
    from tasks.spec.shard import Shard
    from tasks.spec.storage.run_folder import RunFolder

    commands = [command for _, command in _ELEMENT.findall((folder / f"script{number}").read_text())]
    shards = [Shard.model_validate(read_job_file(Path(shlex.split(command)[-1]))) for command in commands]
    session = InferSession(RunFolder(shards[0].run_folder), data=DatasetCache(), progress=Progress())
    with ThreadPoolExecutor(_THREADS) as pool:
        for start in range(0, len(shards), _AT_A_TIME):
            _tell(folder, number, len(shards), start)
            list(pool.map(session.run, shards[start : start + _AT_A_TIME]))
    session.close()
    _tell(folder, number, len(shards), len(shards))


def _tell(folder: Path, number: str, count: int, done: int) -> None:
    states = ["COMPLETED"] * done + ["RUNNING"] * min(_AT_A_TIME, count - done)
    states += ["PENDING"] * (count - len(states))
    temporary = folder / "states.new"
    temporary.write_text("".join(f"{number}_{index}|{state}|None\n" for index, state in enumerate(states)))
    temporary.replace(folder / "states")


if __name__ == "__main__":
    work(Path(sys.argv[1]), sys.argv[2])
