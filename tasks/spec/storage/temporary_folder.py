"""Temporary folders that do not outlive their process for long: the next process removes what killed ones left."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def held_folder(kind: str) -> Generator[Path]:
    """A new folder, only this user's, that is removed after the block; folders of the same kind that nobody holds, too.

    It is held before anything is in it, so an empty one may be about to be held, and any other that is free was left.
    """
    prefix = f"compass_{kind}_"
    for path in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):  # in use, gone, or of somebody else
            _remove_unless_held(path)
    folder = tempfile.mkdtemp(prefix=prefix)
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # a file system without locks: what is left there stays
            fcntl.flock(held, fcntl.LOCK_EX)
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def _remove_unless_held(path: Path) -> None:
    """OSError if it is in use, or not this user's."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_uid == os.getuid() and any(path.iterdir()):
            shutil.rmtree(path)
    finally:
        os.close(descriptor)
