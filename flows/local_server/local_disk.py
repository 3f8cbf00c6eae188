"""Where this user keeps state of this host: on a local disk, since databases and locks suffer on network disks."""

import os
import socket
from collections.abc import Mapping
from pathlib import Path

from tasks.spec.findings import Finding, UserError

_NETWORK_TYPES = (
    *("nfs", "nfs4", "cifs", "smb3", "afs", "9p", "fuse.sshfs"),
    *("lustre", "gpfs", "beegfs", "ceph", "glusterfs", "fuse.glusterfs", "pvfs2", "wekafs"),
)
_MOUNTS = Path("/proc/self/mounts")


def state_folder(environ: Mapping[str, str], mounts: Path = _MOUNTS) -> Path:
    """`$COMPASS_STATE_DIR`, else `compass/<host>` below `$XDG_STATE_HOME` or `~/.local/state`.

    If that is on a network disk, a folder of the user in `/var/tmp`. Creates nothing.
    UserError if the latter belongs to somebody else.
    """
    if given := environ.get("COMPASS_STATE_DIR"):
        return Path(given).expanduser().absolute()
    home = Path(environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    if home.is_absolute() and not on_network_disk(home, mounts):
        return home / "compass" / socket.gethostname()
    shared = Path("/var/tmp") / f"compass-{os.getuid()}"
    if shared.is_symlink() or (shared.exists() and shared.stat().st_uid != os.getuid()):
        remedy = "set COMPASS_STATE_DIR to a folder of yours on a local disk"
        raise UserError(Finding(f"{shared} belongs to another user", remedy=remedy))
    return shared / socket.gethostname()


def on_network_disk(path: Path, mounts: Path = _MOUNTS) -> bool:
    """Whether `path` lies on a file system that several machines share; False where that is unknown."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    resolved = path.resolve()
    best = ("", "")
    for _, escaped, kind, *_ in (line.split(" ") for line in lines):
        point = escaped.replace("\\040", " ")
        # The last of several mounts on one point is the one that is seen.
        if resolved.is_relative_to(point) and len(point) >= len(best[0]):
            best = (point, kind)
    return best[1] in _NETWORK_TYPES


def private_folder(path: Path) -> Path:
    """Creates the folder, readable by its owner alone, and the folders above it."""
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.chmod(0o700)
    return path
