"""Runs one program inside a sandbox and reports what became of it; executed as a script, never imported.

The job comes as a marshalled dict on standard input. On standard output go lines `TOKEN WORD NUMBER TEXT`:
`started`, then the verdict with the index of the source that was run, at last `ended` with the exit status of the
program's process, or `expired`. The program is not told the token, so what it writes is no report.

This process is the sandbox's first: it watches the program and, when it ends, takes along whatever the program left.
Imports only what the interpreter has loaded anyway or loads in no time: two such processes run per program.
"""

import contextlib
import gc
import marshal
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
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
    wakeup = _wake_on_child()
    program = os.fork()
    if program == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _limit(job["limits"])
        _become(job["uid"])
        only = [_Judge(_reporter(channel, job.pop("token")), job.pop("sources"), job.pop("tests"))]
        _run(only)
    report = _reporter(channel, job["token"])
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


class _Judge:
    """A context whose end tells the verdict, and ends the process: neither threads nor exit handlers can delay that.

    What it needs at its end it has from the start: the program may replace anything, the builtins too.
    """

    def __init__(self, report: Report, sources: list[str], tests: list[str]) -> None:
        report("started")
        self._report, self._leave = report, os._exit
        self._reading, self._program, self._unusable = _first_that_compiles(sources)
        self._tests = [
            (f" (test {number} of {len(tests)})" if len(tests) > 1 else "", *_compiled(test, "<test>"))
            for number, test in enumerate(tests, 1)
        ]
        self._place = ""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, failure: BaseException | None, trace: object) -> None:
        if failure is None:
            self._report("passed", self._reading)
        else:
            word, text = failure.args
            self._report(word, self._reading, text + self._place)
        self._leave(0)

    def codes(self) -> Iterator[CodeType]:
        """The program, then its tests; raises what keeps one from being compiled."""
        if self._program is None:
            raise self._unusable or SyntaxError("there is no program")
        yield self._program
        for place, code, unusable in self._tests:
            self._place = place
            if code is None:
                raise unusable or SyntaxError("there is no test")
            yield code


class _Failure(Exception):
    """The word of a verdict, and its text."""


class _Describing:
    """A context that raises _Failure for whatever the program raises, SystemExit included."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            raise _Failure("wrong_answer" if isinstance(error, AssertionError) else "failed", _describe(error))


def _run(judge: list[_Judge]) -> None:
    """Takes the judge out of the list, and does not return.

    Neither this function nor those that called it have the tests or the report in a variable while the program runs, or
    its exceptions describe themselves: programs look for what judges them in the frames below.
    """
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    sys.argv = [f"{_NAME}.py"]
    run, names = exec, module.__dict__
    gc.freeze()  # the collector does not tell of frozen objects
    with judge[0], _Describing():
        for code in judge.pop().codes():
            run(code, names)


def _first_that_compiles(sources: list[str]) -> tuple[int, CodeType | None, BaseException | None]:
    """Its index and code; index 0 and what keeps the first source from being compiled if none of them is a program."""
    first: BaseException | None = None
    for index, source in enumerate(sources):
        code, error = _compiled(source, "<program>")
        if code is not None:
            return index, code, None
        first = first or error
    return 0, None, first


def _compiled(source: str, name: str) -> tuple[CodeType | None, BaseException | None]:
    try:
        return compile(source, name, "exec"), None
    except _UNUSABLE as error:
        return None, error


def _describe(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
    except BaseException:  # noqa: BLE001 the program's own exceptions may raise when they are shown
        text = type(error).__name__
    return text[:_TEXT_LENGTH].removesuffix(": ")


if __name__ == "__main__":
    main()
