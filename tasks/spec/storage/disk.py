"""What went wrong with the disk, told in one line."""

import errno
from typing import TypeGuard

_DISK = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE, errno.EFBIG)
)


def is_disk_problem(error: BaseException) -> TypeGuard[OSError]:
    """Whether the owner of the machine has to act: no room, no right, a broken disk."""
    return isinstance(error, OSError) and error.errno in _DISK


def disk_problem(error: OSError) -> str:
    """The reason in one line, e.g. `cannot write /runs/x/run.json: No space left on device`."""
    return f"cannot write {error.filename or 'to the run folder'}: {error.strerror or error}"
