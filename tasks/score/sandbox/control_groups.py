"""Control groups, which limit all processes of a sandbox together, where this process may make them."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from tasks.score.sandbox.program import Limits

_ROOT = Path("/sys/fs/cgroup")
_OWN_PROCESSES = 5
"""Of the sandbox itself: shell, monitor, first process."""
_ATTEMPTS = 100


@contextmanager
def control_groups(limits: Limits) -> Iterator[list[Path]]:
    """Folders of new groups with these limits, removed at the end; none where that is not allowed."""
    made: list[Path] = []
    if os.getuid() == 0:
        settings = _settings(limits)
        for parent, controllers in _own_groups():
            files = {name: value for controller in controllers for name, value in settings[controller].items()}
            group = _make(parent, files)
            made += [group] if group else []
    try:
        yield made
    finally:
        for group in made:
            _remove(group)


def _settings(limits: Limits) -> dict[str, dict[str, int]]:
    """Values by controller and file; a file exists in one version of control groups or in the other."""
    memory = limits.memory_bytes
    return {
        "pids": {"pids.max": limits.processes + _OWN_PROCESSES},
        "memory": {"memory.max": memory, "memory.swap.max": 0, "memory.limit_in_bytes": memory},
    }


def _own_groups() -> Iterator[tuple[Path, list[str]]]:
    """The groups of this process, each with those of our controllers that it may have."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            controllers = [name for name in ("pids", "memory") if name in names.split(",") or not names]
            if controllers:
                yield _ROOT / names / path.lstrip("/"), controllers


def _make(parent: Path, files: dict[str, int]) -> Path | None:
    """None unless the new group limits at least one thing."""
    for number in count():
        group = parent / f"compass_{os.getpid()}_{number}"
        try:
            group.mkdir()
        except FileExistsError:
            continue
        except OSError:
            return None
        written = [_write(group / name, value) for name, value in files.items()]
        if any(written):
            return group
        _remove(group)
        return None
    return None


def _write(file: Path, value: int) -> bool:
    if not file.exists():
        return False
    try:
        file.write_text(str(value))
    except OSError:
        return False
    return True


def _remove(group: Path) -> None:
    """A group is busy until the kernel has buried its last process."""
    for _ in range(_ATTEMPTS):
        try:
            group.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.01)
        else:
            return
