"""The kinds of sandbox, and how each starts a command."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tasks.score.sandbox.program import Limits
from tasks.score.sandbox.visible_files import FOLDER, View, python_command, sandbox_view

_NAMESPACES = Path(__file__).with_name("namespaces.py").resolve()
_NOBODY = "65534"


@dataclass(frozen=True)
class Sandbox:
    """One way to run a program."""

    name: str
    """As results files tell it."""
    command: Callable[[Limits], list[str]]
    """Starts a Python that runs the code on its standard input."""
    isolates: bool
    """Whether the program sees neither files, processes nor the network of this machine."""

    @property
    def drops_user(self) -> bool:
        """Whether the program runs under a user id that nobody else has; elsewhere it has this process's own."""
        return self.isolates and os.getuid() == 0


def bubblewrap(executable: str) -> Sandbox:
    """By the program `bwrap`, which Debian, Fedora and others package as bubblewrap."""
    view = sandbox_view()
    return Sandbox(
        "bubblewrap",
        lambda limits: [executable, *_bubblewrap_options(view, limits), *python_command(view.interpreter)],
        True,
    )


def user_namespaces() -> Sandbox:
    """By the kernel's namespaces, without any other program."""
    view = sandbox_view()
    start = [view.interpreter, "-I", "-S", str(_NAMESPACES)]
    return Sandbox(
        "namespaces", lambda limits: [*start, _namespaces_plan(view, limits), *python_command(view.interpreter)], True
    )


def no_sandbox() -> Sandbox:
    """With the rights of this process, which only limits of time, memory and file size hold back."""
    return Sandbox("none", lambda _limits: python_command(sys.executable), False)


def _bubblewrap_options(view: View, limits: Limits) -> list[str]:
    options = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if os.getuid() == 0:
        options += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        options += ["--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY]
    options += ["--die-with-parent", "--new-session", "--as-pid-1"]
    for folder in view.folders:
        options += ["--perms", "0755", "--dir", folder]
    for place, target in view.links:
        options += ["--symlink", target, place]
    for source, place in view.read_only:
        options += ["--ro-bind", source, place]
    for device in view.devices:
        options += ["--dev-bind", device, device]
    options += ["--size", str(limits.folder_bytes), "--perms", "1777", "--tmpfs", FOLDER]
    return [*options, "--remount-ro", "/", "--chdir", FOLDER]


def _namespaces_plan(view: View, limits: Limits) -> str:
    return json.dumps(
        {
            "folders": view.folders, "links": view.links, "read_only": view.read_only, "devices": view.devices,
            "folder": FOLDER, "bytes": limits.folder_bytes,
        }
    )  # fmt: skip
