"""The process between a parent and its supervised command; run as a script by `tasks.supervisor`, never imported.

usage: supervisor_watch.py PARENT_PID CONTROL_FD STATUS_FD GRACE COMMAND…

The command runs in a session, and so a process group, of its own. When the control pipe closes or the parent is gone,
the group gets SIGTERM, after GRACE seconds SIGKILL. A line on the control pipe, `stop SECONDS`, does the same.
Status lines: `started PID` or `failed ERRNO`, and at the end `exited CODE` (negative: the signal).
Imports only what the interpreter has loaded anyway or loads in no time: one such process runs per command.
"""

import os
import select
import signal
import sys
import time

_PARENT_CHECK_SECONDS = 1.0
"""A process forked by the parent may hold the pipe open after the parent's death, so the pipe alone is not enough."""
_POLL_SECONDS = 0.02


def main(argv: list[str]) -> None:
    """Starts the command, waits for its end or for the order to end it, and reports its exit status."""
    parent, control, status, grace, command = int(argv[1]), int(argv[2]), int(argv[3]), float(argv[4]), argv[5:]
    wakeup = _wake_on_signals()
    pid = _start(command, control, status)
    grace, exit_code = _watch(parent, control, wakeup, pid, grace)
    exit_code = _end_group(pid, grace, exit_code)
    _report(status, f"exited {exit_code}")


def _wake_on_signals() -> int:
    """A descriptor that becomes readable when a child ends or this process is asked to end."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _do_nothing)
    return readable


def _do_nothing(*_: object) -> None:
    """The signal's number reaches the wakeup descriptor only if it has a handler."""


def _start(command: list[str], control: int, status: int) -> int:
    failure_read, failure_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            os.close(control)
            os.close(status)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(failure_write, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(failure_write)
    failure = os.read(failure_read, 64)
    os.close(failure_read)
    if failure:
        os.waitpid(pid, 0)
        _report(status, f"failed {failure.decode()}")
        sys.exit(0)
    _report(status, f"started {pid}")
    return pid


def _watch(parent: int, control: int, wakeup: int, pid: int, grace: float) -> tuple[float, int | None]:
    """Returns when the command has ended (with its exit code) or has to be ended (with the grace to give)."""
    while True:
        ready, _, _ = select.select([control, wakeup], [], [], _PARENT_CHECK_SECONDS)
        exit_code = _reap(pid)
        if exit_code is not None:
            return grace, exit_code
        if control in ready:
            words = os.read(control, 256).split()
            return (float(words[1]) if len(words) == 2 else grace), None
        if wakeup in ready and any(number != signal.SIGCHLD for number in os.read(wakeup, 256)):
            return grace, None
        if os.getppid() != parent:
            return grace, None


def _end_group(pid: int, grace: float, exit_code: int | None) -> int:
    """Ends what is left of the command's process group, the command included."""
    deadline = time.monotonic() + grace
    _signal_group(pid, signal.SIGTERM)
    while _signal_group(pid, 0) and time.monotonic() < deadline:
        exit_code = _reap(pid) if exit_code is None else exit_code
        time.sleep(_POLL_SECONDS)
    _signal_group(pid, signal.SIGKILL)
    return _exit_code(os.waitpid(pid, 0)[1]) if exit_code is None else exit_code


def _signal_group(pid: int, number: int) -> bool:
    """Whether the group still has a process."""
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _reap(pid: int) -> int | None:
    done, status = os.waitpid(pid, os.WNOHANG)
    return _exit_code(status) if done else None


def _exit_code(status: int) -> int:
    return os.waitstatus_to_exitcode(status)


def _report(status: int, line: str) -> None:
    try:
        os.write(status, line.encode() + b"\n")
    except BrokenPipeError:
        return


if __name__ == "__main__":
    main(sys.argv)
