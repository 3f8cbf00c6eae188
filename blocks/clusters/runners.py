"""The runners of the table of names that have a scheduler, and the names of their blocks and work pools."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tasks.spec.names.type_table import TABLE


def runner_paths() -> dict[str, str]:
    """Dotted paths of all runners, by their class names."""
    return {entry.name: entry.ours for entry in TABLE if entry.kind == "runner"}


def scheduler_classes() -> Iterator[type[Any]]:
    """The runner of each scheduler, without those that are derived from it."""
    for path in runner_paths().values():
        module, _, name = path.rpartition(".")
        runner = getattr(import_module(module), name)
        if "scheduler" in vars(runner):
            yield runner


def block_name(runner: str) -> str:
    """Name of the block of a runner's class, e.g. `SlurmBlock` of `SlurmRunner`."""
    return f"{runner.removesuffix('Runner')}Block"


def worker_name(runner: str) -> str:
    """Name of the worker class of a runner's class."""
    return f"{runner.removesuffix('Runner')}Worker"
