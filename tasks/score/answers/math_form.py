r"""Mathematical answers in one form, so that equal ones are equal as text: `\frac12`, `\dfrac{1}{2}`, `$\frac{1}{2}$.`

Nothing is dropped that makes a difference: right-hand sides, intervals' brackets, subscripts and factorials stay.
Percent signs, degree signs and units are left out, which is this system's policy for all datasets.
"""

import re
from fractions import Fraction
from typing import NamedTuple

from tasks.score.answers.latex import boxes, without_text_commands
from tasks.score.answers.number_text import exact
from tasks.score.answers.number_value import number_value

_UNIT_WORDS = (
    "units?|square|squared|cubic|dollars?|cents?|degrees?|points?|feet|foot|ft|inch(?:es)?|in|yards?|acres?|miles?|mph|km|kilometers?|cm|centimeters?"
    "|mm|meters?|metres?|grams?|gm|kg|pounds?|lbs?|ounces?|liters?|gallons?|hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?"
    "|months?|years?|digits?|integers?|ways?|edges?|students?|meals?|multiples?|percent|people|children(?:tickets)?|sue|per"
)
_UNIT_POWER = r"(?:\^\{?[23]\}?|[²³])?"
_WORD_UNITS = rf"(?:(?:{_UNIT_WORDS})\b{_UNIT_POWER}[\s/.]*)+"
_TEXT_UNITS = re.compile(
    rf"\\(?:text(?:rm|bf|it)?|mbox|mathrm)\s?\{{[\s~]*(?P<unit>(?:(?:{_UNIT_WORDS}|[a-zA-Z])\b{_UNIT_POWER}[\s/.]*)+)\}}{_UNIT_POWER}"
    r"(?=[\s$.,)\]]*$)"
)
_TRAILING_UNITS = re.compile(rf"(?<=[\d}})\s$])\s*(?P<unit>{_WORD_UNITS})$", re.IGNORECASE)
_POWER_OF_UNIT = re.compile(r"square[d]?|cubic|\^\{?[23]\}?|[²³]")
_SPACING = re.compile(
    r"\\(?:[!,;:]|quad(?![A-Za-z])|qquad(?![A-Za-z])|displaystyle(?![A-Za-z])|(?=\s)|limits(?![A-Za-z]))|~"
)
_DELIMITERS = re.compile(r"\\[()\[\]]|(?<!\\)\$+|\\\$|[€£¥₹]")
_SIDES = re.compile(r"\\(?:left|right|big[lrg]?|Big[lrg]?|bigg[lr]?|Bigg[lr]?)(?![A-Za-z])")
_GROUPS = re.compile(r"(?<![\d.,(\[{])\d{1,3}(?:(?:,\\!|,|\{,\}|\\,)\d{3})+(?![\d,])")
_SHORT_FRACTION = re.compile(r"\\frac\s*(?P<top>\{[^{}]*\}|\d|[a-zA-Z])\s*(?P<bottom>\{[^{}]*\}|\d|[a-zA-Z])")
_SHORT_ROOT = re.compile(r"\\sqrt\s*(?P<of>\d+|[a-zA-Z])")
_MIXED = re.compile(r"(?P<whole>-?\d{1,9})\\frac\{(?P<part>\d{1,9})\}\{(?P<parts>\d{1,9})\}")
_SYMBOLS = {
    "−": "-", "–": "-", "×": r"\times ", "·": r"\cdot ", "÷": r"\div ", "π": r"\pi ", "∞": r"\infty ", "≤": r"\le ",
    "≥": r"\ge ", "≠": r"\ne ", "∪": r"\cup ", "∩": r"\cap ", "∈": r"\in ", "²": "^2", "³": "^3", "°": "",
    "％": "%", "，": ",", "（": "(", "）": ")", "√": r"\sqrt ",
}  # fmt: skip
_ROOT_OF_SUM = re.compile(r"√\(([^()]{1,80})\)")
_SYMBOL = re.compile("[" + "".join(_SYMBOLS) + "]")
_SAME = (
    (r"\\[dtc]frac(?![A-Za-z])", r"\\frac"),
    (r"\\leq(?:slant)?(?![A-Za-z])", r"\\le"),
    (r"\\geq(?:slant)?(?![A-Za-z])", r"\\ge"),
    (r"\\neq(?![A-Za-z])", r"\\ne"),
    (r"\^\s?\{?\s?\\circ\s?\}?|\\degree(?![A-Za-z])", ""),
    (r"\\?%", ""),
    (r"\\[lc]?dots(?![A-Za-z])", r"\\dots"),
)
_REPLACEMENTS = tuple((re.compile(pattern), replacement) for pattern, replacement in _SAME)
_LONGEST = 4000


class MathForm(NamedTuple):
    """An answer in one form."""

    text: str
    unit: str
    """The unit that was written behind it; empty if none was."""


def math_form(text: str) -> MathForm:
    """The answer in one form; texts beyond 4000 characters, which no answer has, stay as they are. Linear time."""
    if len(text) > _LONGEST:
        return MathForm(text.strip(), "")
    text, unit = _without_unit(_without_box(with_commands(text)))
    text = _DELIMITERS.sub("", without_text_commands(text))
    for pattern, replacement in _REPLACEMENTS:
        text = pattern.sub(replacement, text)
    text = _GROUPS.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    text = _SPACING.sub(" ", _SIDES.sub("", text)).replace("{,}", ",")
    if not unit and (trailing := _TRAILING_UNITS.search(text.rstrip(" .,"))):
        text, unit = text[: trailing.start()], trailing["unit"]
    text = _in_full(_without_blanks(text.strip().strip("\"'“”*_`")))
    return MathForm(_bare(text), _POWER_OF_UNIT.sub("", _without_blanks(unit.lower().strip(" ./"))))


def with_commands(text: str) -> str:
    r"""The text with mathematical characters as LaTeX's commands: `√2` becomes `\sqrt 2`, `π` becomes `\pi`."""
    return _SYMBOL.sub(lambda match: _SYMBOLS[match[0]], _ROOT_OF_SUM.sub(r"\\sqrt{\1}", text))


def final_form(text: str) -> str:
    r"""The text of `math_form`: `12 square cm` becomes `12`, `\text{(A)}` becomes `A`."""
    return math_form(text).text


def rational(form: str) -> Fraction | None:
    r"""The value of a form that is one number: `0.5`, `\frac{3}{4}`, `2\frac{1}{2}`, `0.\overline{3}`, `1.5e3`."""
    if (value := number_value(form)) is not None:
        return value
    mixed = _MIXED.fullmatch(form)
    if mixed and int(mixed["parts"]):
        part = Fraction(int(mixed["part"]), int(mixed["parts"]))
        return int(mixed["whole"]) + (-part if form.startswith("-") else part)
    return exact(form)


def _without_box(text: str) -> str:
    found = boxes(text)
    return ", ".join(box.content for box in found) if found else text


def _without_unit(text: str) -> tuple[str, str]:
    r"""The answer and what stands behind it as `\text{ cm}`, unless that is all there is."""
    match = _TEXT_UNITS.search(text)
    if match is None or not any(character.isalnum() for character in text[: match.start()]):
        return text, ""
    return text[: match.start()] + text[match.end() :], match["unit"]


def _in_full(text: str) -> str:
    def braced(argument: str) -> str:
        return argument if argument.startswith("{") else f"{{{argument}}}"

    text = _SHORT_FRACTION.sub(lambda match: rf"\frac{braced(match['top'])}{braced(match['bottom'])}", text)
    return _SHORT_ROOT.sub(lambda match: rf"\sqrt{{{match['of']}}}", text)


def _without_blanks(text: str) -> str:
    """Blanks matter between digits (`2 1/2`) and behind a command (`\\pi x`)."""
    text = re.sub(r"(?<=\d)\s+(?=\d)", "\x00", text)
    text = re.sub(r"(\\[A-Za-z]{1,20})\s+(?=[A-Za-z])", "\\1\x00", text)
    return re.sub(r"\s+", "", text).replace("\x00", " ")


def _bare(text: str) -> str:
    """Without the full stop, the braces or the parentheses of one letter around it."""
    text = text.rstrip(".,;:。")
    while text.startswith("{") and text.endswith("}") and _wraps(text):
        text = text[1:-1]
    letter = re.fullmatch(r"\(([A-Za-z])\)", text)
    text = letter[1] if letter else text
    mixed = re.fullmatch(r"(-?\d+) (\d+)/(\d+)", text)
    return rf"{mixed[1]}\frac{{{mixed[2]}}}{{{mixed[3]}}}" if mixed else text


def _wraps(text: str) -> bool:
    """Whether the first brace closes with the last character."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return position == len(text) - 1
    return False
