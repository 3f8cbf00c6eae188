"""Verdicts on programs, and where they run."""

import shutil
from functools import partial
from typing import Any

import pytest
from support.sandboxes import run

from tasks.score.sandbox import runner
from tasks.score.sandbox.kinds import Sandbox
from tasks.score.sandbox.process import SandboxBroken, shortened
from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.run import run_program
from tasks.score.sandbox.runner import CodeRunner, NoSandbox, code_runner, find_sandbox


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    return find_sandbox()


@pytest.mark.parametrize(
    ("source", "test", "verdict", "error"),
    [
        ("x = 1", "assert x == 1", Verdict.PASSED, ""),
        ("x = 1", "assert x == 2, x", Verdict.WRONG_ANSWER, "AssertionError: 1"),
        ("x = 1", "y", Verdict.FAILED, "NameError: name 'y' is not defined"),
        ("x = ", "", Verdict.FAILED, "SyntaxError: invalid syntax (<program>, line 1)"),
        ("x = '\ud800'", "", Verdict.FAILED, "UnicodeEncodeError"),
        ("x\0", "", Verdict.FAILED, ""),
        ("(" * 100_000, "", Verdict.FAILED, ""),
        ("import sys; sys.exit(0)", "", Verdict.FAILED, "SystemExit: 0"),
        ("raise StopIteration", "", Verdict.FAILED, "StopIteration"),
        ("raise GeneratorExit", "", Verdict.FAILED, "GeneratorExit"),
        ("def f(): next(iter([]))", "f()", Verdict.FAILED, "StopIteration"),
        ("import os; os._exit(0)", "", Verdict.FAILED, "it ended before its tests did, with status 0"),
        ("import os; os.kill(os.getpid(), 11)", "", Verdict.FAILED, "it was killed by SIGSEGV"),
        ("input()", "", Verdict.FAILED, "EOFError"),
        ("def f(): f()\nf()", "", Verdict.FAILED, "RecursionError"),
        ("if __name__ == '__main__': raise ValueError", "", Verdict.PASSED, ""),
        ("from dataclasses import dataclass\n@dataclass\nclass C:\n    x: 'int' = 1", "C(1)", Verdict.PASSED, ""),
        ("import os\nif os.fork() == 0: raise ValueError\nos.wait()", "", Verdict.PASSED, ""),
        ("import os\nos.write = os._exit = print = None", "assert False", Verdict.WRONG_ANSWER, "AssertionError"),
        ("class E(Exception):\n    def __str__(self): raise self\nraise E", "", Verdict.FAILED, "E"),
        ("raise ValueError('a\\x1b[31m\\nb' + 'c' * 10**6)", "", Verdict.FAILED, "ValueError: a [31m bccc"),
        ("", "", Verdict.REFUSED, "there is no program in the answer"),
        (" \n", "", Verdict.REFUSED, "there is no program in the answer"),
        ("#" * (1 << 21), "", Verdict.REFUSED, "the program has more than 1048576 characters"),
    ],
    ids=lambda value: ascii(value)[:30],
)  # fmt: skip
def test_verdict(sandbox: Sandbox, source: str, test: str, verdict: Verdict, error: str) -> None:
    outcome = run(source, sandbox, test)
    assert outcome.verdict is verdict
    assert outcome.error.startswith(error)
    assert len(outcome.error) <= 300
    assert outcome.error.isprintable()


@pytest.mark.parametrize(
    ("source", "limits"),
    [
        ("while True: pass", {"cpu_seconds": 1}),
        ("import time; time.sleep(1000)", {"wall_seconds": 1}),
        ("import signal, time\nsignal.pthread_sigmask(0, range(1, 65))\ntime.sleep(1000)", {"wall_seconds": 1}),
    ],
    ids=["busy", "asleep", "deaf"],
)
def test_a_program_that_does_not_end_is_a_timeout(sandbox: Sandbox, source: str, limits: dict[str, Any]) -> None:
    assert run(source, sandbox, **limits).verdict is Verdict.TIMEOUT


def test_the_error_says_which_test_failed(sandbox: Sandbox) -> None:
    assert run("x = 1", sandbox, "assert x", "assert not x").error == "AssertionError (test 2 of 2)"


def test_the_first_reading_that_compiles_is_run(sandbox: Sandbox) -> None:
    program = Program(("return 1", "x = 1", "x = 2"), ("assert x == 2",))
    assert run_program(program, sandbox, Limits()) == Outcome(Verdict.WRONG_ANSWER, "AssertionError", 1)


def test_the_order_of_sets_is_always_the_same(sandbox: Sandbox) -> None:
    source = "assert False, list({str(number) for number in range(50)})"
    assert len({run(source, sandbox).error for _ in range(3)}) == 1


def test_many_programs_keep_their_order() -> None:
    programs = [Program((f"x = {number}",), (f"assert x == {number - number % 3}",)) for number in range(12)]
    verdicts = [outcome.verdict for outcome in code_runner().run(programs)]
    assert verdicts == [Verdict.PASSED, Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER] * 4
    assert code_runner().run([]) == []


def test_a_sandbox_that_fails_is_no_verdict() -> None:
    for command in (["sh", "-c", "echo broken >&2; exit 1"], ["true"]):
        broken = Sandbox("broken", partial(_always, command), True)
        with pytest.raises(SandboxBroken, match="broken|status 0"):
            CodeRunner(broken).run([Program(("x = 1",), ())])


def _always(command: list[str], _limits: Limits) -> list[str]:
    return command


def test_without_any_sandbox_nothing_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(runner, "user_namespaces", lambda: Sandbox("namespaces", partial(_always, ["/no/such"]), True))
    find_sandbox.cache_clear()
    try:
        with pytest.raises(NoSandbox, match=r"bubblewrap: not installed; namespaces: .*No such file"):
            code_runner()
        unsafe = code_runner(unsafe=True)
        assert unsafe.sandbox.name == "none"
        outcomes = unsafe.run(
            [Program((source,), ()) for source in ("x = 1", "assert False", "while True: pass")], Limits(cpu_seconds=1)
        )
        assert [outcome.verdict for outcome in outcomes] == [Verdict.PASSED, Verdict.WRONG_ANSWER, Verdict.TIMEOUT]
    finally:
        find_sandbox.cache_clear()


def test_bubblewrap_comes_first() -> None:
    if shutil.which("bwrap") is None or find_sandbox().name != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    assert code_runner(unsafe=True).sandbox.name == "bubblewrap"


def test_shortened_text_is_one_printable_line() -> None:
    assert shortened("a\n\tb\x07\u202e\ud800c") == "a b c"
    assert len(shortened("x" * 10_000)) == 300
