"""Whether two mathematical answers are the same, by their form and their exact value."""

import re
from typing import Literal

from tasks.score.answers.math_form import MathForm, math_form, rational

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
