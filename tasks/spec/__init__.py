"""The configuration language, and the checked form of what is written in it."""

from contextlib import AbstractContextManager


def read_base() -> AbstractContextManager[None]:
    """Marks the imports that take values out of other configuration files; for configuration files only."""
    from tasks.spec.findings import UserError

    raise UserError("read_base() works in files that compass reads as configurations; they are not run by themselves")
