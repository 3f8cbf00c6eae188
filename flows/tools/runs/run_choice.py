"""Which run a tool is about: the words every such tool takes."""

import argparse
from pathlib import Path

from tasks.spec.storage.run_folder import RunFolder, find_run_folder

DEFAULT_WORK_DIR = "outputs/default"


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """`[RUN] [-w DIR]`."""
    parser.add_argument("run", nargs="?", default="latest", help="folder or timestamp of a run (default: the newest)")
    parser.add_argument(
        "-w", "--work-dir", default=DEFAULT_WORK_DIR, metavar="DIR", help="parent folder of the runs (%(default)s)"
    )


def chosen_run(arguments: argparse.Namespace) -> RunFolder:
    """The run folder that the arguments name; UserError if there is none."""
    return run_named(arguments.run, Path(arguments.work_dir).expanduser())


def run_named(name: str, work_dir: Path) -> RunFolder:
    """The run of a path, or of a timestamp below `work_dir`; UserError if there is none."""
    path = Path(name).expanduser()
    return RunFolder(path) if path.is_dir() and name != "latest" else find_run_folder(work_dir, name)
