"""Searches with a pattern that a configuration gives: it may be of any cost, so it gets a limit of time."""

from collections import deque
from functools import cache
from typing import Any

_SECONDS = 0.3
"""Of processor time."""
_MOST_MATCHES = 64


class PatternTookTooLong(Exception):
    """The pattern needs more time on this text than it gets."""


@cache
def compiled(pattern: str) -> Any:
    """The compiled pattern; ValueError telling what is wrong with it."""
    import regex

    try:
        return regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"the pattern {pattern!r} cannot be read: {error}") from None


def last_matches(pattern: str, text: str) -> list[Any]:
    """The last matches in the text, latest first; ValueError for a broken pattern, PatternTookTooLong."""
    matches = compiled(pattern).finditer(text, timeout=_SECONDS)
    try:
        return list(reversed(deque(matches, maxlen=_MOST_MATCHES)))
    except TimeoutError:
        raise PatternTookTooLong(pattern) from None
