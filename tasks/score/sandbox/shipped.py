"""The code that runs inside sandboxes, as bytes: a sandbox sees no file of this package."""

import marshal
from functools import cache
from pathlib import Path
from types import CodeType

_INSIDE = "tasks.score.sandbox.inside"
_PROGRAM = ("values", "channel", "errors", "watch", "answers")
_JUDGE = ("values", "channel", "errors", "watch", "remote", "hearing")
BOOT = (
    "import marshal, sys\n"
    "for name, code in marshal.load(sys.stdin.buffer):\n"
    "    module = sys.modules[name] = type(sys)(name)\n"
    "    exec(code, module.__dict__)\n"
    "module.main()"
)
"""Runs the code that comes on standard input; what follows it there is for the code to read."""


@cache
def program_code() -> bytes:
    """The side of the program."""
    return _code(_PROGRAM)


@cache
def judge_code() -> bytes:
    """The side of the judge."""
    return _code(_JUDGE)


def _code(modules: tuple[str, ...]) -> bytes:
    """Names and code, those first that others import."""
    folder = Path(__file__).with_name("inside")
    code: list[tuple[str, CodeType]] = []
    for name in modules:
        text = (folder / f"{name}.py").read_text(encoding="utf-8")
        code.append((f"{_INSIDE}.{name}", compile(text, f"<{name}>", "exec", dont_inherit=True, optimize=2)))
    return marshal.dumps(code)
