"""Exact values of numbers that are written with powers of ten, or with digits that repeat."""

import re
from fractions import Fraction

_POWER = re.compile(
    r"(?P<sign>-?)(?P<number>\d{1,40}(?:\.\d{1,40})?|\.\d{1,40})(?:[eE]|(?:\\times|\\cdot|\*)\s?10\^)(?P<exponent>[+-]?\d{1,3}|\{[+-]?\d{1,3}\})"
)
_REPEATING = re.compile(
    r"(?P<sign>-?)(?P<whole>\d{0,40})\.(?P<once>\d{0,40})"
    r"(?:\\(?:overline|bar)\{(?P<part>\d{1,40})\}|\\(?:overline|bar|dot)(?P<digit>\d)|\\dot\{(?P<dotted>\d)\})"
)


def number_value(form: str) -> Fraction | None:
    r"""The value of `1.5e3`, `1.5\times10^{3}`, `0.1\overline{6}`; None for anything else."""
    if match := _POWER.fullmatch(form):
        value = Fraction(match["number"]) * Fraction(10) ** int(match["exponent"].strip("{}"))
        return -value if match["sign"] else value
    if match := _REPEATING.fullmatch(form):
        part = match["part"] or match["digit"] or match["dotted"]
        once = Fraction(f"{match['whole'] or 0}.{match['once'] or 0}")
        value = once + Fraction(int(part), (10 ** len(part) - 1) * 10 ** len(match["once"]))
        return -value if match["sign"] else value
    return None
