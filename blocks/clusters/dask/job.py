"""What a worker of Dask does for a job: a process of its own, which ends when Dask wants the worker back."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from distributed import Worker, get_worker

from blocks.clusters.variables_file import read_variables
from tasks.supervisor import start

_TICK_SECONDS = 0.2


def run_job(command: Sequence[str], folder: str, log: str, variables: str | None) -> int:
    """Runs the command and returns its exit status; `variables` is the file with those that it needs.

    Its processes end when the job is cancelled, when the run that wants it is gone, and with the worker. OSError if the
    worker's machine does not see the files.
    """
    worker = get_worker()
    key = worker.get_current_task()
    for path in (Path(folder), Path(log).parent):
        if not path.is_dir():
            raise FileNotFoundError(f"{path} does not exist on this machine, which needs the disk of the run")
    environment = {**os.environ, **(_read(Path(variables)) if variables else {})}
    with start(_on_this_machine(command), env=environment, cwd=Path(folder), log=Path(log)) as process:
        while (status := process.poll()) is None:
            if _is_unwanted(worker, key):
                return process.stop()
            time.sleep(_TICK_SECONDS)
    return status


def _read(path: Path) -> dict[str, str]:
    if not path.is_file():
        raise FileNotFoundError(f"{path}, which holds the job's variables, cannot be read on this machine")
    return read_variables(path)


def _on_this_machine(command: Sequence[str]) -> Sequence[str]:
    """Workers may have their Python elsewhere than the process that hands jobs over."""
    return command if Path(command[0]).exists() else (sys.executable, *command[1:])


def _is_unwanted(worker: Worker, key: object) -> bool:
    task = worker.state.tasks.get(key)  # pyright: ignore[reportArgumentType, reportCallIssue] a key is what it gave us
    return task is None or task.state == "cancelled"
