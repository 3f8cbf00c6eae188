"""Text of others as it can be shown and stored anywhere."""

import re

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but tabs and line breaks, and those that turn the order of letters round."""
_LONGEST_NAME = 500
"""Characters; PostgreSQL can index 2,704 bytes, and Prefect indexes names."""


def counted(count: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{count} {noun}{'s' * (count != 1)}"


def one_line(text: str) -> str:
    """The text in one line; what a terminal or a file would not take (controls, lone surrogates) is escaped."""
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)


def unsteering(text: str) -> str:
    """The text with what would steer a terminal written as escapes; tabs and line breaks stay."""
    return _STEERING.sub(lambda match: repr(match[0])[1:-1], text)


def shown_name(name: str) -> str:
    """The name of a run or a task as Prefect has it: that of a task of thousands of pairs is cut off."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
