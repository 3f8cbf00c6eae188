"""What the texts behind options mean; argparse.ArgumentTypeError for those that mean nothing."""

import argparse
import math
from typing import Any


def _number(text: str, kind: type[int] | type[float] = int) -> Any:
    try:
        return kind(text)
    except ValueError:
        what = "whole number" if kind is int else "number"
        raise argparse.ArgumentTypeError(f"{text!r} is not a {what}") from None


def positive(text: str) -> int:
    """A whole number from 1 on."""
    number = _number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def count(text: str) -> int:
    """A whole number from 0 on."""
    number = _number(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number


def budget(text: str) -> float:
    """A number from 0 on; infinity is one."""
    number = _number(text, float)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of errors")
    return number


def amount(text: str) -> float:
    """A number above 0 that is not infinite."""
    number = _number(text, float)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


_TRUE, _FALSE = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


def is_true(text: str) -> bool:
    """`true` or `false`, or another word for one of them."""
    if text.lower() not in (*_TRUE, *_FALSE):
        raise argparse.ArgumentTypeError(f"{text!r} is neither true nor false")
    return text.lower() in _TRUE
