"""A sandbox made of Linux namespaces alone, for machines without bubblewrap; executed as a script, never imported.

usage: namespaces.py PLAN COMMAND…      (PLAN is a JSON object: folders, links, read_only, devices, folder, bytes)

The command runs without a network, in a root folder that holds only what the plan names, as the first process of a
process namespace of its own: when it ends, the kernel kills all others in it. Where this script runs as root, the
command is root and has to become another user itself; elsewhere it has the rights of nobody.
"""

import ctypes
import json
import os
import re
import signal
import sys
from pathlib import Path
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)

_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_RDONLY, _NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE, _RELATIME = 1, 2, 4, 32, 4096, 16384, 1 << 18, 1 << 21
_KEPT = 1 | 2 | 4 | 8 | 1024 | 2048
"""Flags of a mount that statvfs and mount number alike, and that a remount has to repeat."""
_SET_DEATH_SIGNAL, _NO_NEW_PRIVILEGES = 1, 38
_DETACH = 2
_STAGE = "/tmp"
_NOBODY = 65534


def main() -> None:
    """Makes the namespaces, runs the command in them and waits for its end."""
    plan, command = json.loads(sys.argv[1]), sys.argv[2:]
    _die_with_parent()
    _unshare()
    init = os.fork()
    if init:
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(init, 0)[1]))
    _die_with_parent()
    _build_root(plan)
    os.setsid()
    _check(_libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0), "no_new_privs")
    os.execv(command[0], command)


def _die_with_parent() -> None:
    _check(_libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0), "death signal")


def _unshare() -> None:
    uid, gid = os.getuid(), os.getgid()
    flags = _NEWNS | _NEWUTS | _NEWIPC | _NEWPID | _NEWNET
    _check(_libc.unshare(flags if uid == 0 else flags | _NEWUSER), "unshare")
    if uid != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{_NOBODY} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{_NOBODY} {gid} 1")


def _build_root(plan: dict[str, Any]) -> None:
    """The new root is a small file system in memory, read-only once it is filled."""
    _mount("none", "/", None, _REC | _PRIVATE)
    _mount("tmpfs", _STAGE, "tmpfs", _NOSUID | _NODEV, "size=1m,nr_inodes=1024,mode=0755")
    Path(_STAGE, "old").mkdir()
    _check(_libc.pivot_root(_STAGE.encode(), f"{_STAGE}/old".encode()), "pivot_root")
    os.chdir("/")
    for folder in plan["folders"]:
        Path(folder).mkdir(0o755, parents=True, exist_ok=True)
    for place, target in plan["links"]:
        Path(place).symlink_to(target)
    for source, place in plan["read_only"]:
        _bind(f"/old{source}", place)
        for point in _mounts_at(place):
            _mount("none", point, None, _BIND | _REMOUNT | _RDONLY | _NOSUID | _flags(point))
    for device in plan["devices"]:
        _bind(f"/old{device}", device)
    Path(plan["folder"]).mkdir(parents=True, exist_ok=True)
    _mount("tmpfs", plan["folder"], "tmpfs", _NOSUID | _NODEV, f"size={plan['bytes']},nr_inodes=4096,mode=1777")
    _check(_libc.umount2(b"/old", _DETACH), "umount")
    Path("/old").rmdir()
    _mount("none", "/", None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    os.chdir(plan["folder"])


def _bind(source: str, place: str) -> None:
    if Path(source).is_dir():
        Path(place).mkdir(0o755, parents=True, exist_ok=True)
    else:
        Path(place).touch(0o644)
    _mount(source, place, None, _BIND | _REC)


def _mounts_at(place: str) -> list[str]:
    """The mount points at and below a place."""
    mounts = Path("/old/proc/self/mountinfo").read_text("utf-8", "surrogateescape").splitlines()
    points = [line.split(" ")[4] for line in mounts]
    plain = [re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), point) for point in points]
    return [point for point in plain if point == place or point.startswith(f"{place}/")]


def _flags(place: str) -> int:
    flags = os.statvfs(place).f_flag
    return flags & _KEPT | (_RELATIME if flags & 4096 else 0)


def _mount(source: str, place: str, kind: str | None, flags: int, options: str = "") -> None:
    done = _libc.mount(source.encode(), place.encode(), kind and kind.encode(), ctypes.c_ulong(flags), options.encode())
    _check(done, f"mount {place}")


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"namespaces: {error.strerror}")
