r"""Notations that say the same in mathematics: `x>2` and `(2,\infty)`, `25\%` and `0.25`, `3 million` and `3000000`."""

import re

from tasks.score.answers.math_form import math_form, rational, with_commands

_POWERS = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_MULTIPLIER = re.compile(
    rf"(?<=\d)\s{{0,3}}(?:\\text\{{\s{{0,3}})?(?:\b|(?<=\d))(?P<word>{'|'.join(_POWERS)})s?\b\s{{0,3}}\}}?",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\\?[%％]\s{0,3}[.$]{0,2}\s{0,3}$")
_SIGN = re.compile(r"(<|>|\\(?:le|ge|lt|gt)(?![A-Za-z]))")
_LESS, _MORE = ("<", r"\lt", r"\le"), (">", r"\gt", r"\ge")
_WITH_END = (r"\le", r"\ge")
_ALL_NUMBERS = ("allrealnumbers", "allreals", "allrealx", r"\mathbb{R}")
_NAME = re.compile(r"[A-Za-z]")
_DEGREES = re.compile(r"(?P<angle>\d{1,5}(?:\.\d{1,5})?)\s?(?:\^\s?\{?\s?\\circ\s?\}?|\\degree(?![A-Za-z])|°)")
_TRIGONOMETRIC = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)(?![A-Za-z])")


def spelled_out(text: str) -> str:
    r"""The text with multipliers as powers of ten, and degrees within trigonometric functions as radians."""
    text = _MULTIPLIER.sub(lambda match: rf"\times 10^{{{_POWERS[match['word'].lower()]}}}", with_commands(text))
    if _TRIGONOMETRIC.search(text):
        text = _DEGREES.sub(r"(\g<angle>\\cdot\\frac{\\pi}{180})", text)
    return text


def as_interval(form: str) -> str:
    r"""Inequalities of one variable, joined by "or", as their intervals; other forms stay as they are."""
    if form in _ALL_NUMBERS:
        return r"(-\infty,\infty)"
    found = [_one_interval(part) for part in form.split("or")]
    return r"\cup".join(part for part in found if part) if all(found) else form


def _one_interval(form: str) -> str | None:
    parts = [part.strip() for part in _SIGN.split(form)]
    if len(parts) == 3 and _NAME.fullmatch(parts[2]):
        return _half_line(parts[0], parts[1] in _MORE, parts[1] in _WITH_END)
    if len(parts) == 3 and _NAME.fullmatch(parts[0]):
        return _half_line(parts[2], parts[1] in _LESS, parts[1] in _WITH_END)
    if len(parts) == 5 and _NAME.fullmatch(parts[2]):
        low, first, _, second, high = parts if parts[1] in _LESS else parts[::-1]
        if (first in _LESS) == (second in _LESS):
            return _interval(low, high, first in _WITH_END, second in _WITH_END)
    return None


def _half_line(bound: str, is_upper: bool, with_end: bool) -> str:
    return _interval(r"-\infty", bound, False, with_end) if is_upper else _interval(bound, r"\infty", with_end, False)


def _interval(low: str, high: str, with_low: bool, with_high: bool) -> str:
    return f"{'[' if with_low else '('}{low},{high}{']' if with_high else ')'}"


def same_share(one: str, other: str) -> bool:
    r"""Whether one is a percentage and the other the same share as a number: `25\%` and `\frac14`."""
    marks = [_PERCENT.search(text.strip()) is not None for text in (one, other)]
    values = [rational(math_form(text).text) for text in (one, other)]
    if marks[0] == marks[1] or values[0] is None or values[1] is None:
        return False
    percent, share = values if marks[0] else values[::-1]
    return percent == 100 * share
