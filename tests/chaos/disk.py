"""A small file system for the runs, which can be full or refuse to be written."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_KILOBYTES = 200_000
_FILLER = "filler"


class Disk:
    """A tmpfs; needs the right to mount one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Leaves no room at all."""
        with suppress(OSError), (self.folder / _FILLER).open("ab", buffering=0) as file:
            while file.write(b"\0" * 65536):
                pass

    def make_room(self) -> None:
        """Takes away what filled it."""
        (self.folder / _FILLER).unlink(missing_ok=True)

    @contextmanager
    def read_only(self, patience: float = 0.0) -> Iterator[bool]:
        """Refuses writes for the block; tells whether it could: not while a file is open for writing."""
        end = time.monotonic() + patience
        while not (done := self._remount("ro")) and time.monotonic() < end:
            time.sleep(0.02)
        try:
            yield done
        finally:
            self._remount("rw")

    def _remount(self, how: str) -> bool:
        command = ["mount", "-o", f"remount,{how}", str(self.folder)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk | None]:
    """Mounts it; None where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_KILOBYTES}k", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
