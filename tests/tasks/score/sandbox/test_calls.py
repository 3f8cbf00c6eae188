"""What tests can do with a program in another process: all that tests do, as if it were in theirs."""

import textwrap
from collections.abc import Iterator

import pytest

from tasks.score.sandbox.judge import Judge
from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.run import run_program
from tasks.score.sandbox.runner import find_sandbox

LIMITS = Limits(cpu_seconds=2)


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge(find_sandbox(), LIMITS) as judge:
        yield judge


def hear(judge: Judge, source: str, *tests: str, helpers: str = "", data_only: bool = False) -> Outcome:
    texts = tuple(textwrap.dedent(test) for test in tests)
    program = Program((textwrap.dedent(source),), texts, textwrap.dedent(helpers), data_only)
    return run_program(program, find_sandbox(), LIMITS, judge=judge)


SAME = "def f(x): return x\n"
VALUES = [
    "None", "True", "...", "NotImplemented", "0", "-1", "10**40", "-(2**63)", "0.1", "-0.0", "float('inf')", "1e-300",
    "1 - 2j", "'é\\ud800\\0'", "b'\\xff'", "bytearray(b'ab')", "(1, (2, ()))", "[1, [2.0, []]]", "{1, 'a', (2, 3)}",
    "frozenset({1})", "{'a': {1: [None]}, (1, 2): {}}", "range(1, 9, 2)", "int", "ValueError",
    "__import__('decimal').Decimal('1.10')", "__import__('fractions').Fraction(1, 3)",
    "__import__('datetime').datetime(2020, 2, 3, 4, 5, 6, 7)", "__import__('datetime').date(2020, 2, 3)",
    "__import__('datetime').timedelta(3, 4, 5)",
]  # fmt: skip


def test_plain_values_come_back_as_they_are(judge: Judge) -> None:
    test = "for x in values:\n    y = f(x)\n    assert (type(y), y, repr(y)) == (type(x), x, repr(x))"
    assert hear(judge, SAME, f"values = [{', '.join(VALUES)}]\n{test}").error == ""


def test_not_a_number_stays_one_and_true_is_not_one(judge: Judge) -> None:
    test = "import math\nassert math.isnan(f(math.nan)) and f(True) is True and type(f(1)) is int and f(1) is not True"
    assert hear(judge, SAME, test).verdict is Verdict.PASSED


def test_instances_of_subclasses_are_plain_values(judge: Judge) -> None:
    source = """
        import collections, enum
        Point = collections.namedtuple("Point", "x y")
        class Color(enum.IntEnum):
            RED = 1
        class Text(str): pass
        def f():
            return [
                Point(1, 2), Color.RED, Text("a"), collections.Counter("aab"), collections.OrderedDict(b=1, a=2),
                collections.defaultdict(list, {1: [2]}),
            ]
    """
    test = """
        got = f()
        assert got == [(1, 2), 1, "a", {"a": 2, "b": 1}, {"b": 1, "a": 2}, {1: [2]}]
        assert [type(value) for value in got] == [tuple, int, str, dict, dict, dict]
    """
    assert hear(judge, source, test).error == ""


PROGRAMS = {
    "arguments": (
        "def f(a, /, b=2, *rest, c=3, **more): return a, b, rest, c, more",
        "assert f(1) == (1, 2, (), 3, {})\nassert f(1, 2, 3, c=4, d=5) == (1, 2, (3,), 4, {'d': 5})",
    ),
    "an argument changed in place": (
        "def f(xs, by, seen, raw):\n    xs.sort()\n    by['n'] = len(xs)\n    seen.discard(1)\n    raw.reverse()",
        (
            "xs, by, seen, raw = [3, 1], {}, {1, 2}, bytearray(b'ab')\nassert f(xs, by, seen, raw) is None\n"
            "assert (xs, by, seen, raw) == ([1, 3], {'n': 2}, {2}, b'ba')"
        ),
    ),
    "a part of an argument changed in place": (
        "def f(rows):\n    rows.reverse()\n    rows[0].append(rows[1][0])",
        "a, b = [1], [2]\nrows = [a, b]\nf(rows)\nassert rows == [[2, 1], [1]] and rows[0] is b and a == [1]",
    ),
    "an argument changed before an exception": (
        "def f(xs):\n    xs.clear()\n    raise ValueError",
        "xs = [1]\ntry: f(xs)\nexcept ValueError: pass\nassert xs == []",
    ),
    "an argument that comes back": (
        "def f(xs): return xs, [xs]",
        "xs = [1]\none, (other,) = f(xs)\nassert one is xs and other is xs",
    ),
    "one list twice, and one that holds itself": (
        "def f(a, b):\n    a.append(2)\n    c = [b]\n    c.append(c)\n    return c",
        "xs = [1]\nc = f(xs, xs)\nassert xs == [1, 2] and c[0] is xs and c[1] is c",
    ),
    "exceptions": (
        "class Mine(KeyError): pass\ndef f(x): raise (ValueError('no', x), Mine(x), OSError(2, 'x', 'y'))[x]",
        """
        try: f(0)
        except ValueError as error: assert error.args == ('no', 0) and type(error) is ValueError
        try: f(1)
        except Mine as error: assert error.args == (1,) and isinstance(error, KeyError)
        try: f(2)
        except FileNotFoundError as error: assert 'y' in str(error)
        else: assert False
        """,
    ),
    "generators": (
        "def f(n): yield from ([k] for k in range(n))\ndef g():\n    n = 0\n    while 1: yield (n := n + 1)",
        (
            "assert list(f(3)) == [[0], [1], [2]] and [1] in f(2) and next(g()) == 1\n"
            "import itertools\nassert [*itertools.islice(g(), 3)] == [1, 2, 3]\nassert tuple(map(len, f(2))) == (1, 1)"
        ),
    ),
    "maps, views and deques": (
        (
            "import collections\ndef f(x):\n    d = {n: n for n in x}\n"
            "    return map(str, x), d.keys(), d.items(), zip(x, x), collections.deque(x), reversed(x)"
        ),
        (
            "m, k, i, z, d, r = f([1, 2])\nassert (list(m), {*k}, list(i)) == (['1', '2'], {1, 2}, [(1, 1), (2, 2)])\n"
            "assert list(z) == [(1, 1), (2, 2)] and list(d) == [1, 2] and d[0] == 1 and list(r) == [2, 1]"
        ),
    ),
    "classes of the program": (
        """
        class Stack:
            limit = 3
            def __init__(self, *items): self.items = list(items)
            def push(self, item): self.items.append(item); return self
            def __len__(self): return len(self.items)
            def __getitem__(self, n): return self.items[n]
            def __iter__(self): return iter(self.items)
            def __str__(self): return f"Stack{self.items}"
            __repr__ = __str__
            def __eq__(self, other): return self.items == other.items
            def __hash__(self): return 0
        class Bare:
            def __repr__(self): return "Bare"
        """,
        """
        stack = Stack(1)
        assert stack.push(2).push([3]) is stack and len(stack) == 3 and stack[1] == 2 and list(stack) == [1, 2, [3]]
        assert str(stack) == 'Stack[1, 2, [3]]' and Stack.limit == 3 and isinstance(stack, Stack) and bool(stack)
        assert Stack(1) == Stack(1) and Stack(1) != Stack(2) and not Stack() and {Stack(1)} == {Stack(1)}
        assert Bare() != Bare() and (bare := Bare()) == bare
        stack.items = [7]
        assert stack.items == [7] and not isinstance(3, Stack)
        """,
    ),
    "operators between objects of the program": (
        """
        class V:
            def __init__(self, x): self.x = x
            def __add__(self, other): return V(self.x + other.x)
            def __mul__(self, other): return self.x * other.x
            def __neg__(self): return V(-self.x)
            def __lt__(self, other): return self.x < other.x
            def __eq__(self, other): return self.x == other.x
            def __repr__(self): return f"V({self.x})"
        """,
        (
            "assert V(1) + V(2) == V(3) and V(2) * V(4) == 8 and -V(1) == V(-1) and V(1) < V(2) and not V(2) < V(1)\n"
            "assert [v.x for v in sorted([V(3), V(1)])] == [1, 3]"
        ),
    ),
    "coroutines": (
        """
        import asyncio
        async def f(x):
            await asyncio.sleep(0)
            return x + 1
        async def g(): raise KeyError(1)
        """,
        """
        import asyncio
        assert asyncio.run(f(1)) == 2
        async def both(): return await asyncio.gather(f(1), f(2))
        assert asyncio.run(both()) == [2, 3]
        try: asyncio.run(g())
        except KeyError: pass
        else: assert False
        """,
    ),
    "objects of the program as arguments": (
        "class P:\n    def __init__(self, a): self.a = a\ndef f(ps): return max(p.a for p in ps)",
        "assert f([P(1), P(5), P(3)]) == 5\nroot = P(1)\nroot.next = P(2)\nassert root.next.a == 2 and f([root]) == 1",
    ),
    "functions as arguments": (
        (
            "def f(key, xs): return sorted(xs, key=key)\ndef g(x): return lambda y: x + y\ndef h(fn): return fn\n"
            "def each(xs): return [x for x in xs]"
        ),
        """
        seen = []
        assert f(lambda x: seen.append(x) or -x, [1, 2]) == [2, 1] and seen == [1, 2] and g(1)(2) == 3
        assert h(len) is len and each(iter([1, 2])) == [1, 2] and each(n * n for n in range(3)) == [0, 1, 4]
        def fails(_): raise ZeroDivisionError
        try: f(fails, [1])
        except ZeroDivisionError: pass
        else: assert False
        assert f(lambda x: g(x)(1), [2, 1]) == [1, 2]
        """,
    ),
    "classes of the test": (
        """
        def f(head):
            last = None
            while head:
                head.next, last, head = last, head, head.next
            return last
        """,
        """
        class Node:
            def __init__(self, value, next=None): self.value, self.next = value, next
            def __eq__(self, other): return (self.value, self.next) == (other.value, other.next)
        one = Node(1, Node(2))
        two = f(one)
        assert type(two) is Node and two == Node(2, Node(1)) and one.next is None and two.next is one
        """,
    ),
    "names": (
        "import math, sys as system\ntotal = 1\ndef f(): global total; total += 1; return total\ndef sum(a): return 1",
        "assert total == 1 and f() == 2 and total == 2 and math.pi > 3 and system.maxsize > 1\nassert sum([1, 2]) == 3",
    ),
    "a function by the name of one of the language": ("def sum(a, b): return a * b", "assert sum(3, 4) == 12"),
    "what is printed": (
        "def f(x):\n    print('got', x)\n    return x",
        (
            "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as out:\n    assert f(1) == 1\n"
            "assert out.getvalue() == 'got 1\\n'"
        ),
    ),
    "thousands of calls": ("def f(x): return x + 1", "for n in range(3000):\n    assert f(n) == n + 1"),
    "a large answer": ("def f(n): return list(range(n))", "assert f(200_000) == list(range(200_000))"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_tests_do_what_they_do_in_one_process(judge: Judge, name: str) -> None:
    source, test = PROGRAMS[name]
    alone: dict[str, object] = {}
    if name not in ("names", "a function by the name of one of the language"):
        exec(f"{textwrap.dedent(source)}\n{textwrap.dedent(test)}", alone)
    assert hear(judge, source, test) == Outcome(Verdict.PASSED)


def test_helpers_are_the_judge_s_own(judge: Judge) -> None:
    source, helpers = "def poly(x): return 0\ndef f(x): return x", "def poly(x):\n    return x * x - 4"
    assert hear(judge, source, "assert poly(f(2)) == 0", helpers=helpers).verdict is Verdict.PASSED
    assert hear(judge, source, "assert poly(f(3)) == 0", helpers=helpers).verdict is Verdict.WRONG_ANSWER


def test_with_data_alone_no_object_of_the_program_is_an_answer(judge: Judge) -> None:
    source = "class C:\n    def upper(self): return 'A'\ndef f(): return C()\ndef g(): return [1, {2: (3,)}]"
    assert hear(judge, source, "assert f().upper() == 'A'").verdict is Verdict.PASSED
    outcome = hear(judge, source, "assert f().upper() == 'A'", data_only=True)
    assert outcome == Outcome(Verdict.FAILED, "its answer cannot be read: it holds an object of type 'C'")
    assert hear(judge, source, "assert g() == [1, {2: (3,)}]", data_only=True).verdict is Verdict.PASSED
    source = "def f():\n    def double(x): return 2 * x\n    double.upper = lambda: 'A'\n    return double"
    assert hear(judge, source, "assert f()(2) == 4", data_only=True).verdict is Verdict.PASSED
    assert hear(judge, source, "assert f().upper() == 'A'", data_only=True).verdict is Verdict.FAILED


def test_a_value_that_cannot_travel_is_named(judge: Judge) -> None:
    test = "import threading\nf(threading.Lock())"
    assert hear(judge, SAME, test).error == "TypeError: a test cannot give a value of type 'lock' to a program"


def test_tests_have_limits_too(judge: Judge) -> None:
    assert hear(judge, SAME, "while True: pass").verdict is Verdict.TIMEOUT
    assert (
        hear(judge, SAME, "import os; os._exit(3)").error == "its judge: it ended before its tests did, with status 3"
    )
    assert hear(judge, SAME, "assert f(1) == 1").verdict is Verdict.PASSED
    hidden = "import os\nassert os.getuid() != 0 and not os.path.exists('/etc/passwd')"
    assert hear(judge, SAME, hidden).verdict is Verdict.PASSED


def test_the_tests_of_one_program_leave_nothing_to_those_of_the_next(judge: Judge) -> None:
    assert hear(judge, SAME, "import builtins\nbuiltins.abs = len\nopen('x', 'w')").verdict is Verdict.PASSED
    assert hear(judge, SAME, "assert abs(-1) == 1").verdict is Verdict.PASSED
