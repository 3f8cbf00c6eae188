"""Runs one program inside a sandbox and reports what became of it; executed as a script, never imported.

The job comes as a marshalled dict on standard input. On standard output go lines `TOKEN WORD NUMBER TEXT`:
`started`, then the verdict with the index of the source that was run, at last `ended` with the exit status of the
program's process, or `expired`. The program is not told the token, so what it writes is no report.

This process is the sandbox's first: it watches the program and, when it ends, takes along whatever the program left.
Imports only what the interpreter has loaded anyway or loads in no time: two such processes run per program.
"""

import contextlib
import marshal
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable
from types import CodeType, ModuleType
from typing import Any

_TEXT_LENGTH = 500
_NAME = "candidate"
_UNUSABLE = (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError)
"""What `compile` raises for a text that is no program."""

Report = Callable[..., None]


def main() -> None:
    """Runs the program in a process of its own, with no right that it must not have, and waits for its end."""
    job: dict[str, Any] = marshal.loads(sys.stdin.buffer.read())  # noqa: S302 written by us
    channel = _take_channel()
    report = _reporter(channel, job["token"])
    wakeup = _wake_on_child()
    program = os.fork()
    if program == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _limit(job["limits"])
        _become(job["uid"])
        _run(job["sources"], job["tests"], _reporter(channel, job["token"]))
    status = _wait(program, wakeup, time.monotonic() + job["wall_seconds"])
    report("expired" if status is None else "ended", status or 0)
    os._exit(0)


def _take_channel() -> int:
    """Moves the report to a descriptor of its own; the program reads nothing and writes to nowhere."""
    channel = os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    return channel


def _reporter(channel: int, token: str) -> Report:
    """A function that writes one line for this process, bound to what it needs: the program may replace anything."""
    pid, getpid, write = os.getpid(), os.getpid, os.write

    def report(word: str, number: int = 0, text: str = "") -> None:
        if getpid() == pid:  # a process that the program forked comes here as well
            line = f"{token} {word} {number} {text}".replace("\n", " ")
            write(channel, f"\n{line}\n".encode("utf-8", "backslashreplace"))

    return report


def _wake_on_child() -> int:
    """A descriptor that becomes readable when a child ends."""
    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    return readable


def _wait(program: int, wakeup: int, deadline: float) -> int | None:
    """The exit status of the process, negative for a signal; None if it runs on at the deadline."""
    while True:
        ended, status = os.waitpid(-1, os.WNOHANG)  # the first process of a sandbox inherits orphans
        if ended == program:
            return os.waitstatus_to_exitcode(status)
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        if ended == 0 and select.select([wakeup], [], [], left)[0]:
            os.read(wakeup, 512)


def _limit(limits: dict[str, int]) -> None:
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        highest = value + 1 if name == "RLIMIT_CPU" else value  # the signal of the soft limit tells a timeout
        with contextlib.suppress(ValueError, OSError):  # a lower limit is in force, or the system knows no such limit
            resource.setrlimit(kind, (value, highest))


def _become(uid: int | None) -> None:
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def _run(sources: list[str], tests: list[str], report: Report) -> None:
    """Does not return: neither threads nor exit handlers of the program can delay the end."""
    leave = os._exit
    report("started")
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    sys.argv = [f"{_NAME}.py"]
    place = ""
    reading = 0
    try:
        reading, program = _first_that_compiles(sources)
        exec(program, module.__dict__)  # noqa: S102
        for number, test in enumerate(tests, 1):
            place = f" (test {number} of {len(tests)})" if len(tests) > 1 else ""
            exec(compile(test, "<test>", "exec"), module.__dict__)  # noqa: S102
    except AssertionError as error:
        report("wrong_answer", reading, _describe(error, place))
    except BaseException as error:  # noqa: BLE001 whatever the program raises, SystemExit included
        report("failed", reading, _describe(error, place))
    else:
        report("passed", reading)
    leave(0)


def _first_that_compiles(sources: list[str]) -> tuple[int, CodeType]:
    """Raises what the first source raises if none of them compiles."""
    first: BaseException | None = None
    for index, source in enumerate(sources):
        try:
            return index, compile(source, "<program>", "exec")
        except _UNUSABLE as error:
            first = first or error
    raise first or SyntaxError("there is no program")


def _describe(error: BaseException, place: str) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
    except BaseException:  # noqa: BLE001 the program's own exceptions may raise when they are shown
        text = type(error).__name__
    return text[:_TEXT_LENGTH].removesuffix(": ") + place


if __name__ == "__main__":
    main()
