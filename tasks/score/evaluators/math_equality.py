r"""Whether two mathematical answers are the same, by their form and their exact value.

`spelled_out`, `as_interval` and `same_share` know notations that say the same: `3 million` and `3000000`, `x>2` and
`(2,\infty)`, `25\%` and `0.25`.
"""

import re
from typing import Literal

from tasks.score.answers.math_form import MathForm, math_form, rational, with_commands

Version = Literal["v1", "v2"]
_ASSIGNMENT = re.compile(r"^(?P<name>[A-Za-z](?:_\{?\w\}?)?)=(?!=)(?=.)")
_SLASH = re.compile(r"(?P<sign>-?)(?P<top>\d+)/(?P<bottom>\d+)")
_LOOSE = (
    (re.compile(r"^[A-Za-z]\\in(?![A-Za-z])\s?"), ""),
    (re.compile(r"(?<![A-Za-z\\])(?:\\?infinity|inf)(?![A-Za-z])"), r"\\infty"),
    (re.compile(r"\+\\infty"), r"\\infty"),
    (re.compile(r"\\cdot\s?|\\times\s?|(?<=\d)\*(?=\d)"), "*"),
    (re.compile(r"(?<![A-Za-z])and(?![A-Za-z])"), ","),
    (re.compile(r"(?<![A-Za-z\\])j(?![A-Za-z])"), "i"),
    (re.compile(r"(?<![\d.])(\d+)\.0+(?!\d)"), r"\1"),
    (re.compile(r",{2,}"), ","),
)
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


def same_math(one: str, other: str, version: Version = "v2") -> bool:
    r"""Whether both are the same number or the same expression written alike; different stated units differ.

    `v2` also takes `x\in(1,2)` for `(1,2)`, `inf` for `\infty`, `j` for `i`, "and" for a comma.
    """
    first, second = math_form(one), math_form(other)
    if not first.text or not second.text or _forms_differ_in_unit(first, second) or _differ_in_name(first, second):
        return False
    if first.text == second.text:
        return True
    forms = [_compared(form.text, version) for form in (first, second)]
    if forms[0] == forms[1]:
        return True
    values = [rational(form) for form in forms]
    return values[0] is not None and values[0] == values[1]


def differ_in_unit(one: str, other: str) -> bool:
    """Whether both state a unit, and different ones."""
    return _forms_differ_in_unit(math_form(one), math_form(other))


def _forms_differ_in_unit(first: MathForm, second: MathForm) -> bool:
    return bool(first.unit and second.unit) and first.unit.rstrip("s") != second.unit.rstrip("s")


def _differ_in_name(first: MathForm, second: MathForm) -> bool:
    """Whether they say what different variables are."""
    ours, theirs = _ASSIGNMENT.match(first.text), _ASSIGNMENT.match(second.text)
    return ours is not None and theirs is not None and ours["name"] != theirs["name"]


def _compared(form: str, version: Version) -> str:
    form = _ASSIGNMENT.sub("", form)
    if version == "v2":
        for pattern, replacement in _LOOSE:
            form = pattern.sub(replacement, form)
        form = _ASSIGNMENT.sub("", form)
    form = re.sub(r"(?<![\d\w])\.(?=\d)", "0.", form)
    slash = _SLASH.fullmatch(form)
    return rf"{slash['sign']}\frac{{{slash['top']}}}{{{slash['bottom']}}}" if slash else form


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
    first, second = (rational(math_form(text).text) for text in (one, other))
    if marks[0] == marks[1] or first is None or second is None:
        return False
    return first == 100 * second if marks[0] else second == 100 * first
