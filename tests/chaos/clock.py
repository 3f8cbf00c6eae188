"""A clock that is wrong by days, for a process and its children: libfaketime, with what Python needs beside it."""

import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

_FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
# Without it, libfaketime refuses the sleeps of a Python whose monotonic clock it spares; faked, that clock stops waits.
_SLEEP = """
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
    return syscall(SYS_clock_nanosleep, clock, flags, wanted, left) ? errno : 0;
}
"""


def missing() -> str:
    """Why no clock can be moved here; empty if one can."""
    if _FAKETIME is None:
        return "libfaketime is not installed; `make tests` brings it"
    return "" if shutil.which("gcc") else "there is no gcc"


def moved(seconds: int) -> dict[str, str]:
    """Variables for a process whose time of day is so much later."""
    return {
        "LD_PRELOAD": f"{_sleep()}:{_FAKETIME}",
        "FAKETIME": f"{seconds:+d}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


@cache
def _sleep() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="compass-clock-"))
    (folder / "sleep.c").write_text(_SLEEP)
    command = ["gcc", "-shared", "-fPIC", "-o", str(folder / "sleep.so"), str(folder / "sleep.c")]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "sleep.so"
