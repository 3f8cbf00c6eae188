"""Standard output and error that take no more, as a pipe that was closed or a file on a full disk."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO


@contextmanager
def naming_output() -> Iterator[None]:
    """What the block cannot write is standard output's fault: the OSError names it, and what waits there is dropped."""
    try:
        yield
    except OSError as error:
        error.filename = "standard output"
        _drop(sys.stdout)
        raise


@contextmanager
def flushed_output() -> Iterator[None]:
    """At the end of the block, however it ends, standard output has taken everything; an OSError naming it if not."""
    try:
        yield
    finally:
        with naming_output():
            sys.stdout.flush()


@contextmanager
def optional_errors() -> Iterator[None]:
    """What the block writes to standard error is lost where that takes no more: there is nobody to tell."""
    try:
        yield
    except OSError:
        _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    """Python would write what waits there once more at its end, and end with status 120."""
    with suppress(OSError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
