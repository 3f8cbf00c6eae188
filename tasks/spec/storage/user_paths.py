"""Paths as users write them, which may be anything."""

import os
from pathlib import Path


def given_file(written: str | Path) -> Path | None:
    """The file that is meant, `~` included; None if there is none, nor can be: too long, or with a NUL in its name."""
    path = os.path.expanduser(written)  # noqa: PTH111  # pathlib's raises for the home of somebody unknown
    return Path(path) if os.path.isfile(path) else None  # noqa: PTH113  # and for names that no file can have
