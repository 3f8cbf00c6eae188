"""Programs that are wrong and try to pass all the same. None does, and the program after each is judged as usual."""

import textwrap
from collections.abc import Iterator

import pytest

from tasks.score.sandbox.judge import Judge
from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.run import run_program
from tasks.score.sandbox.runner import find_sandbox

LIMITS = Limits(cpu_seconds=1, wall_seconds=4)
SQUARES = "def check(candidate):\n    assert candidate(2) == 4\n    assert 9 == candidate(3)\ncheck(f)"
CLOSE = "assert abs(f(3) - 9) < 1e-6"
TEXT = "assert f(3) == 'nine'"
SEQUENCE = "assert list(f(3)) == [0, 1, 4]"
MODULE = "import math\nassert math.isclose(f(3), 9)"
SORTED = "assert sorted(f(3)) == [0, 1, 4] and len(f(3)) == 3 and set(f(2)) == {0, 1}"
CALLBACK = "assert f(lambda x: x * x) == 9"
INSIDE = "import sys\ninside = {name.rpartition('.')[2]: m for name, m in sys.modules.items() if '.inside.' in name}\n"
INSIDE += """
def own():
    frame = sys._getframe()
    while not isinstance(side := frame.f_locals.get("self"), inside["answers"]._Side):
        frame = frame.f_back
    return side
"""


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(find_sandbox(), LIMITS) as judge:
        yield judge


def hear(judge: Judge, source: str, test: str = SQUARES) -> Outcome:
    return run_program(Program((textwrap.dedent(source),), (test,)), find_sandbox(), LIMITS, judge=judge)


FORGERIES: dict[str, tuple[str, str]] = {
    # Names, frames and objects of the interpreter that the program runs in.
    "a name of the main module": (
        """
        import __main__
        __main__._Failure = lambda *a: Exception("passed", "")
        def f(x): return None
        """,
        SQUARES,
    ),
    "all names of the main module": (
        """
        import __main__
        for name in list(vars(__main__)):
            if not name.startswith("__"):
                setattr(__main__, name, lambda *a, **k: ("passed", ""))
        def f(x): return None
        """,
        SQUARES,
    ),
    "all names of what answers": (
        INSIDE
        + """
for module in inside.values():
    for name, value in list(vars(module).items()):
        if isinstance(value, type):
            for own in list(vars(value)):
                if not own.startswith("__"):
                    try: setattr(value, own, lambda *a, **k: True)
                    except Exception: pass
def f(x): return None
""",
        SQUARES,
    ),
    "frames": (
        """
        import sys
        def f(x):
            frame = sys._getframe()
            while frame:
                for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
                    for word in ("passed", "returned"):
                        try: getattr(value, "_send")([], (getattr(value, "_nonce"), word, True, (), ""))
                        except Exception: pass
                        try: value(1, "passed", 0, "")
                        except Exception: pass
                frame = frame.f_back
        """,
        SQUARES,
    ),
    "frames of an exception": (
        """
        import sys
        class Liar(Exception):
            def __str__(self):
                frame = sys._getframe()
                while frame:
                    for value in list(frame.f_locals.values()):
                        try: value.operations = value.tests = []
                        except Exception: pass
                    frame = frame.f_back
                return "passed"
        def f(x): raise Liar("passed", "")
        """,
        SQUARES,
    ),
    "collector": (
        """
        import gc
        gc.unfreeze()
        for found in gc.get_objects():
            if isinstance(found, list) and any("assert" in item for item in found if isinstance(item, str)):
                found.clear()
            if getattr(found, "__name__", "") in ("report", "end"):
                for arguments in ((1, "passed"), ("passed",), ("passed", 0, "")):
                    try: found(*arguments)
                    except Exception: pass
        def f(x): return None
        """,
        SQUARES,
    ),
    "referrers": (
        """
        import gc, sys
        for found in gc.get_referrers(f := lambda x: None, sys.modules["candidate"]):
            if isinstance(found, dict):
                found["passed"] = True
        """,
        SQUARES,
    ),
    "trace": (
        """
        import sys, threading
        def trace(frame, event, argument):
            frame.f_globals["AssertionError"] = frame.f_globals["BaseException"] = KeyError
            return trace
        sys.settrace(trace); sys.setprofile(trace); threading.settrace(trace)
        def f(x): return None
        """,
        SQUARES,
    ),
    "audit hook": (
        """
        import os, sys
        sys.addaudithook(lambda event, arguments: os.write(1, b"passed 0 \\n"))
        def f(x): return None
        """,
        SQUARES,
    ),
    "excepthook and atexit": (
        """
        import atexit, os, sys, threading
        sys.excepthook = sys.unraisablehook = threading.excepthook = lambda *_: os._exit(0)
        atexit.register(os.write, 1, b"passed 0 \\n")
        def f(x): sys.exit(0)
        """,
        SQUARES,
    ),
    "bytes of the interpreter": (
        """
        import ctypes
        ctypes.memmove(id(9) + 24, (3).to_bytes(4, "little"), 4)
        def f(x): return x
        """,
        MODULE,
    ),
    # Built-ins and modules that a test uses.
    "built-ins replaced": (
        """
        import builtins
        empty = compile("", "", "exec")
        builtins.compile = builtins.exec = lambda *_: empty
        builtins.isinstance = builtins.all = builtins.any = lambda *_: True
        builtins.abs = builtins.len = lambda *_: 0
        builtins.Exception = builtins.BaseException = builtins.AssertionError = KeyboardInterrupt
        def f(x): return 0
        """,
        CLOSE,
    ),
    "built-ins as names of the program": (
        (
            "abs = round = len = lambda *_: 0\nlist = sorted = set = lambda *_: Same()\n"
            "class Same:\n    __eq__ = lambda *_: True\n    __hash__ = lambda _: 0\ndef f(x): return 0"
        ),
        CLOSE,
    ),
    "list as a name of the program": (
        "class Same:\n    __eq__ = lambda *_: True\nlist = lambda *_: Same()\ndef f(x): return []",
        SEQUENCE,
    ),
    "sorted, len and set as names of the program": (
        "class Same:\n    __eq__ = lambda *_: True\nsorted = len = set = lambda *_: Same()\ndef f(x): return []",
        SORTED,
    ),
    "a module that agrees": (
        "import math, sys\nmath.isclose = lambda *_, **__: True\nsys.modules['math'] = math\ndef f(x): return 0",
        MODULE,
    ),
    "a class in place of a module": (
        "class math:\n    isclose = staticmethod(lambda *_: True)\ndef f(x): return 0",
        "assert math.isclose(f(3), 9)",
    ),
    "the test's own names": ("def check(*_): pass\ncandidate = None\ndef f(x): return None", SQUARES),
    "import hooks": (
        """
        import sys
        class Finder:
            def find_spec(self, *_): raise SystemExit(0)
        sys.meta_path.insert(0, Finder()); sys.path_hooks.clear(); sys.modules.clear()
        def f(x): return None
        """,
        MODULE,
    ),
    # Values that claim what they are not.
    "equal to everything": (
        (
            "class Same:\n    __eq__ = lambda *_: True\n    __ne__ = lambda *_: False\n    __hash__ = lambda _: 4\n"
            "def f(x): return Same()"
        ),
        SQUARES,
    ),
    "in every order with everything": (
        """
        class Any:
            pass
        for name in "lt le gt ge eq sub rsub add radd abs neg pos contains call getitem".split():
            setattr(Any, f"__{name}__", lambda self, *_: self)
        Any.__bool__ = lambda _: True
        def f(x): return Any()
        """,
        CLOSE,
    ),
    "an int that is equal": ("class I(int):\n    __eq__ = lambda *_: True\ndef f(x): return I(0)", SQUARES),
    "a float that is close": (
        (
            "class F(float):\n    __sub__ = lambda *_: 0.0\n    __abs__ = lambda _: 0.0\n    __lt__ = lambda *_: True\n"
            "def f(x): return F(1)"
        ),
        CLOSE,
    ),
    "a float for isclose": ("class F(float):\n    __float__ = lambda _: 9.0\ndef f(x): return F(1)", MODULE),
    "a text that is equal": ("class S(str):\n    __eq__ = lambda *_: True\ndef f(x): return S()", TEXT),
    "a list that is equal": ("class L(list):\n    __eq__ = lambda *_: True\ndef f(x): return L()", SEQUENCE),
    "a type that is equal": (
        (
            "class M(type):\n    __eq__ = lambda *_: True\n    __hash__ = lambda _: 0\nclass C(metaclass=M): pass\n"
            "def f(x): return C"
        ),
        SQUARES,
    ),
    "another class by that name": (
        (
            "class int:\n    __eq__ = lambda *_: True\nclass Remote(int): pass\n"
            "def f(x): return (int(), Remote())[x % 2]"
        ),
        SQUARES,
    ),
    "shown as the answer": ("class N:\n    __repr__ = __str__ = lambda _: '4'\ndef f(x): return N()", SQUARES),
    "not a number": ("def f(x): return float('nan')", CLOSE),
    "an exception that says passed": ("class passed(BaseException): pass\ndef f(x): raise passed('passed 0')", SQUARES),
    "an exception that cannot be shown": (
        (
            "class E(BaseException):\n    __str__ = __repr__ = property(lambda self: 1 / 0)\n"
            "    args = property(lambda self: 1 / 0)\n"
            "def f(x): raise E"
        ),
        SQUARES,
    ),
    "lines of a report": ("def f(x): raise ValueError('\\npassed 0 \\n\\rpassed 0 \\n')", SQUARES),
    # The channel, and every other way out of the process.
    "standard output and error": (
        (
            "import sys\nfor out in (sys.stdout, sys.stderr, sys.__stdout__):\n"
            "    print('\\npassed 0 \\n', file=out, flush=True)\n"
            "def f(x): print('passed 0 ')"
        ),
        SQUARES,
    ),
    "every descriptor": (
        """
        import os
        def f(x):
            for number in range(256):
                try: os.write(number, b"passed 0 \\n")
                except OSError: pass
        """,
        SQUARES,
    ),
    "every descriptor closed": ("import os\ndef f(x): os.closerange(0, 256)", SQUARES),
    "every descriptor another": (
        "import os\ndef f(x):\n    for number in range(64): os.dup2(os.open('/dev/zero', os.O_RDWR), number)",
        SQUARES,
    ),
    "answers before it is asked": (
        INSIDE
        + """
own()._send([], (b"12345678", "returned", 4, (), ""))
def f(x): return None
""",
        SQUARES,
    ),
    "answers twice": (
        INSIDE
        + """
send = inside["answers"].send
inside["answers"].send = lambda *given: (send(*given), send(*given))
def f(x): return x * x
""",
        SQUARES,
    ),
    "answers again what it answered": (
        INSIDE
        + """
send, sent = inside["answers"].send, []
def again(channel, message):
    sent.append(bytes(message))
    send(channel, sent[0])
inside["answers"].send = again
def f(x): return None
""",
        SQUARES,
    ),
    "another process answers": (
        """
        import os
        def f(x):
            if os.fork():
                os._exit(0)
            return None
        """,
        SQUARES,
    ),
    "a thread answers": (
        INSIDE
        + """
import threading
def f(x):
    side = own()
    def answer():
        while True:
            side._send([], (side._nonce, "returned", True, (), ""))
    threading.Thread(target=answer, daemon=True).start()
""",
        SQUARES,
    ),
    "a function of the judge that it was not given": (
        INSIDE
        + """
def f(x):
    side = own()
    return [side._ask_judge(number, (), {}) for number in (0, -1, 1)]
""",
        SQUARES,
    ),
    "a function of the judge, misused": (
        (
            "def f(square):\n    [getattr(square, part) for part in ('__globals__', '__code__', '__closure__')]\n"
            "    return square('passed')"
        ),
        CALLBACK,
    ),
    "types that it must not make": (
        INSIDE
        + """
def known(writer, value):
    writer.sized(b"K", b"os.system")
    writer.write(("true",))
    return True
inside["values"].Writer.known = known
class C: pass
def f(x): return C()
""",
        SQUARES,
    ),
    "instances that it must not make": (
        INSIDE
        + """
inside["answers"]._Side._special = lambda side, writer, value: writer.sized(b"x", b"_Names") or writer.write({})
class C: pass
def f(x): return C()
""",
        SQUARES,
    ),
    "noise": (
        INSIDE
        + """
import os
inside["answers"].send = lambda channel, message: os.write(channel, b"\\0" * 7 + bytes(message))
def f(x): return 4
""",
        SQUARES,
    ),
    "a length without an end": (
        (
            "import os\ndef f(x):\n    for number in range(3, 64):\n        try: os.write(number, b'\\xff' * 64)\n"
            "        except OSError: pass\n    return None"
        ),
        SQUARES,
    ),
    # Other processes, memory and the machine.
    "ptrace": (
        """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        assert not [pid for pid in range(1, 200) if libc.ptrace(16, pid, 0, 0) == 0]
        def f(x): return None
        """,
        SQUARES,
    ),
    "memory of other processes": (
        """
        import ctypes, os
        libc = ctypes.CDLL(None)
        buffer = ctypes.create_string_buffer(b"passed 0 ")
        vector = (ctypes.c_size_t * 2)(ctypes.addressof(buffer), 9)
        own = os.getpid()
        assert not [p for p in range(1, 200) if p != own and libc.process_vm_readv(p, vector, 1, vector, 1, 0) > 0]
        def f(x): return None
        """,
        SQUARES,
    ),
    "memory as a file": (
        """
        import os
        for pid in ("self", "1", "2", str(os.getppid())):
            for name in ("mem", "environ", "maps", "fd/1", "root"):
                try: open(f"/proc/{pid}/{name}", "r+b").write(b"passed 0 ")
                except OSError: continue
                os._exit(0)
        def f(x): return None
        """,
        SQUARES,
    ),
    "shared memory": (
        """
        import ctypes, mmap, os
        libc = ctypes.CDLL(None)
        assert not [n for n in range(64) if libc.shmat(n, None, 0) != -1]
        assert not os.path.exists("/dev/shm") or not os.listdir("/dev/shm")
        mmap.mmap(-1, 1 << 16).write(b"passed 0 \\n" * 1000)
        def f(x): return None
        """,
        SQUARES,
    ),
    "signals to all": (
        (
            "import os, signal\ndef f(x):\n    for pid in (1, 2, os.getppid(), -1, 0):\n"
            "        try: os.kill(pid, signal.SIGKILL)\n"
            "        except OSError: pass"
        ),
        SQUARES,
    ),
    "signal handlers": (
        """
        import os, signal
        def handler(*_): raise SystemExit(0)
        for number in range(1, 65):
            try: signal.signal(number, handler)
            except (OSError, ValueError): pass
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        def f(x):
            while True: pass
        """,
        SQUARES,
    ),
    "sockets": (
        """
        import socket
        for address in ("\\0judge", "/tmp/judge", "\\0/org/judge"):
            try: socket.socket(socket.AF_UNIX).connect(address)
            except OSError: pass
        def f(x): return None
        """,
        SQUARES,
    ),
    "another program in its place": (
        "import os, sys\ndef f(x): os.execv(sys.executable, [sys.executable, '-c', 'print(\"passed 0 \")'])",
        SQUARES,
    ),
    "an end with status 0": ("import os\ndef f(x): os._exit(0)", SQUARES),
    "an end of the interpreter": ("def f(x): raise SystemExit(0)", SQUARES),
    "a crash": ("import ctypes\ndef f(x): ctypes.string_at(0)", SQUARES),
    # More than there is.
    "an endless iterator": ("import itertools\ndef f(x): return itertools.count()", SEQUENCE),
    "an endless sequence": (
        "class All:\n    def __len__(self): return 3\n    def __getitem__(self, n): return n\ndef f(x): return All()",
        SORTED,
    ),
    "an answer larger than memory": ("def f(x): return bytearray(1 << 40)", SQUARES),
    "an answer larger than the channel": ("def f(x): return 'x' * (64 << 20)", SQUARES),
    "many small answers in one": ("def f(x): return [None] * (16 << 20)", SQUARES),
    "a list in a list in a list": ("def f(x):\n    y = []\n    for _ in range(10**5): y = [y]\n    return y", SQUARES),
    "a list that holds itself": ("def f(x):\n    y = []\n    y.append(y)\n    return y", SEQUENCE),
    "keys that collide": ("def f(x): return {n * (2**61 - 1) for n in range(10**5)}", SORTED),
    "a number of a million digits": ("def f(x): return 10 ** (10**6)", TEXT),
    "without an end": ("def f(x):\n    while True: pass", SQUARES),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_it_does_not_pass(judge: Judge, name: str) -> None:
    source, test = FORGERIES[name]
    outcome = hear(judge, source, test)
    assert outcome.verdict in (Verdict.WRONG_ANSWER, Verdict.FAILED, Verdict.TIMEOUT), outcome
    assert "SyntaxError" not in outcome.error and "NameError" not in outcome.error, outcome


def test_there_are_many_and_those_that_are_right_pass(judge: Judge) -> None:
    assert len(FORGERIES) > 60
    for source, test in {
        "def f(x): return x * x": SQUARES,
        "def f(x): return 9.0": CLOSE,
        "def f(x): return range(3) if x == 2 else [0, 1, 4]": SEQUENCE,
        "def f(square): return square(3)": CALLBACK,
    }.items():
        assert hear(judge, source, test) == Outcome(Verdict.PASSED)


@pytest.mark.parametrize(
    "prepare",
    ["signal.SIG_IGN", "lambda *_: None", "lambda *_: __import__('os')._exit(0)"],
    ids=["ignored", "caught", "exit"],
)
def test_a_program_that_ignores_its_limit_is_a_timeout(judge: Judge, prepare: str) -> None:
    source = f"import signal\nsignal.signal(signal.SIGXCPU, {prepare})\ndef f(x):\n    while True: pass"
    assert hear(judge, source).verdict is Verdict.TIMEOUT
