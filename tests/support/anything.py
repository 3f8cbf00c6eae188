"""Input as nobody meant it: any JSON, files cut short or changed, and how many of them a test tries."""

import copy
import os
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tasks.spec.findings import UserError

T = TypeVar("T")

TIMES = int(os.environ.get("COMPASS_FUZZ", "1"))
"""How many times as many inputs as continuous integration tries: `make fuzz`."""

TEXTS = st.text(st.characters(codec=None), max_size=8)
"""Lone surrogates and control characters among them."""
NUMBERS = st.integers() | st.floats() | st.sampled_from([10**30, -(2**63), 2**64, 0, -1, 1.0, 1e308])
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
HOSTILE = st.sampled_from(
    [b"[" * 100_000, b'{"a":' * 20_000, b"9" * 5_000, b"\x00", b"\xff\xfe", b"", b"null", b"{}", b"[]", b'"', b"NaN",
     b'{"a": 1, "a": 2}', b"\xef\xbb\xbf{}", b"\xed\xa0\x80", b'"\\ud800"', b"{" * 3, b"- " * 1_500, b"1e999"]
)  # fmt: skip
"""Bytes that have broken readers of JSON, YAML and Python before."""


def tries(count: int) -> settings:
    """Settings of a test that tries so many inputs, the same ones each time; others, and more, in a long search."""
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
    same = TIMES == 1
    return settings(max_examples=count * TIMES, deadline=None, suppress_health_check=checks, derandomize=same)


def answer_of(action: Callable[[], T]) -> T | UserError:
    """What the action returns, or the error by which it tells the user what is wrong."""
    try:
        return action()
    except UserError as error:
        return error


@st.composite
def changed(draw: st.DrawFn, value: Any, wrong: st.SearchStrategy[Any] = JSON, most: int = 2) -> Any:
    """The JSON value with up to `most` of the values in it replaced or left out."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, most))):
        places = list(_places(value))
        if not places:
            return value
        container, key = draw(st.sampled_from(places))
        if draw(st.integers(0, 4)):
            container[key] = draw(wrong)
        else:
            del container[key]
    return value


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """The content cut short, or with a piece of it left out, doubled or replaced."""
    start = draw(st.integers(0, len(content)))
    stop = draw(st.integers(start, min(len(content), start + 40)))
    piece = content[start:stop]
    kinds = ("cut", "without", "doubled", "replaced")
    kind = draw(st.sampled_from(kinds))
    if kind == "cut":
        return content[:start]
    other = {"without": b"", "doubled": piece * 2}.get(kind)
    return content[:start] + (draw(st.binary(max_size=6) | HOSTILE) if other is None else other) + content[stop:]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container in the value with every key in it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])
