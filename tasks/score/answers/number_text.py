"""Numbers as they are written in answers: found in text as whole tokens, brought to one form, compared exactly.

A number ends where its token ends. `1e6`, `1 000 000`, `70k` and `3万` are read whole; `10:30`, `12/05/2020`,
`1.234.567` and `2x` are no numbers, and no part of them is one.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

_MINUS = "-−–"
_CURRENCY = r"(?:\\?[$€£¥₹￥])"
# A separator groups digits only before exactly three of them: "1,2" is two numbers.
_SEPARATOR = r"(?:,\\!|,|\{,\}|\\,|[\u00a0\u2009\u202f])"
_DIGITS = (
    rf"(?:\d{{1,3}}(?:{_SEPARATOR}\d{{3}}(?!\d))++"
    r"|[1-9]\d{0,2}(?:[ ]\d{3}(?!\d))++(?![ ]\d)|[1-9]\d{0,2}(?:_\d{3}(?!\d))++|\d++)"
)
_SIGN = rf"(?:(?<![A-Za-z0-9_)\]}}%])[{_MINUS}]{_CURRENCY}?)?"
_DECIMAL = rf"(?:{_DIGITS}(?:\.\d++)?|(?<![\w.])\.\d++)"
_NUMBER = rf"{_SIGN}{_DECIMAL}"
_PLAIN = rf"{_CURRENCY}?{_DECIMAL}"
_UNITS = (
    "°?[CF]|[kcmdµμn]?m[²³23]?|[kmµμ]?g|[mk]?[lL]|[kKmMG]?W|kWh|kcal|cal|[kKMGT]i?[bB]|[kMG]?bps|[kMG]?Hz|[mk]?[VAJN]|kPa|Pa"
    "|lbs?|oz|ft|in|yd|mi|mph|km/h|kmh|kph|m/s|s|ms|sec|min|mins|h|hr|hrs|yrs?|USD|EUR|GBP|CNY|RMB|dollars?|cents?|percent"
)
_SCALES = {
    "k": 3, "K": 3, "M": 6, "bn": 9, "thousand": 3, "million": 6, "billion": 9, "trillion": 12,
    "百": 2, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8,
}  # fmt: skip
_CHINESE_SCALE = r"(?:百(?!分)|千(?![米克瓦卡焦帕伏赫])|[万萬亿億])"
_SCALE = (
    rf"(?P<scale>(?:[kKM]|bn)(?![A-Za-z0-9_])|\s?(?:thousand|million|billion|trillion)(?![A-Za-z])"
    rf"|\s?{_CHINESE_SCALE}(?!{_CHINESE_SCALE}))"
)
_EXPONENT = (
    r"(?P<exponent>[eE][+-]?\d{1,3}(?![A-Za-z0-9_.])"
    rf"|\s?(?:×|[xX*·]|\\times|\\cdot)\s?10(?:\s?(?:\^|\*\*)\s?\{{?\s?[+{_MINUS}]?\d{{1,3}}(?!\d)\s?\}}?|[⁺⁻]?[⁰¹²³⁴-⁹]{{1,3}}))"
)
# What may not stand behind a number, since the token goes on. A unit may.
_END = (
    rf"(?:(?=(?:{_UNITS})(?![A-Za-z0-9_]))"
    rf"|(?!_*[A-Za-z0-9]|_\{{|\.\d|:\d|\s?/\s?\d|\s?(?:\^|\*\*)\s?[\d{{{_MINUS}]|\s?\\?(?:pi|sqrt|[dt]?frac)(?![a-z])|\s?[π√]"
    rf"|{_CHINESE_SCALE}))"
)
_NEVER = (
    r"\d{4}-\d{1,2}-\d{1,2}(?!\d)|\d{1,2}-\d{1,2}-\d{4}(?!\d)"  # a date
    r"|\d{1,2}(?:,\d{2}(?!\d))++,\d{3}(?!\d)|\d{1,3}(?:\.\d{3})++,\d++"  # grouped as in India, as in Germany
    r"|\\sqrt\s?(?:\{[^{}]{0,80}\}|\d++)|√\d++"
    r"|(?<![A-Za-z_\\])(?!(?:USD|EUR|GBP|CNY|RMB|Rs|RM|approx)\d)[A-Za-z_]*+(?<=[A-Za-z])\d[A-Za-z0-9_]*+"  # x2, H2O
    r"|(?<=\^)\{?[-−–]?\d++\}?"
)
_SKIPPED = r"(?<![A-Za-z\\])(?:[kcmdh]?m|ft|in)\^?\{?[23]\}?(?![A-Za-z0-9])"  # the power of a unit
_COMPOSED = rf"\d++(?:\.\d++)?{_CHINESE_SCALE}(?:\d++{_CHINESE_SCALE}){{1,3}}+(?!\d)"
_VALUE = re.compile(
    rf"(?P<skipped>{_SKIPPED})|(?P<never>{_NEVER})"
    rf"|(?P<fraction_sign>[{_MINUS}])?\\[dt]?frac\{{(?P<top>{_NUMBER})\}}\{{(?P<bottom>{_NUMBER})\}}(?![A-Za-z0-9])"
    rf"|(?P<composed>{_COMPOSED})"
    rf"|(?P<power>{_SIGN}\d{{1,4}})(?:\^|\*\*)(?:\{{(?P<braced>\d{{1,3}})\}}|(?P<bare>\d{{1,3}}))(?![\w.])"
    rf"|(?P<first>{_NUMBER})"
    rf"(?:{_EXPONENT}|{_SCALE}|[ ](?P<part>\d{{1,9}}+)/(?P<parts>\d{{1,9}}+)(?![\d/])"
    rf"|\s?\\[dt]?frac\{{(?P<part_of>\d{{1,9}}+)\}}\{{(?P<parts_of>\d{{1,9}}+)\}}|\s?/\s?(?P<divisor>{_PLAIN})(?!\s?/))?+{_END}"
    r"|(?P<other>\d(?:_\{[^{}]{0,20}\}|[A-Za-z0-9_]|[.,:/](?=\d)|\\?sqrt\{[^{}]{0,80}\})*+)"
)
_SEPARATORS = re.compile(rf"{_SEPARATOR}|{_CURRENCY}|[ _]")
_PART = re.compile(rf"(\d+(?:\.\d+)?)({_CHINESE_SCALE})")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "0123456789+---")
_LONGEST_NUMBER = 1000


@dataclass(frozen=True, slots=True)
class Value:
    """A number found in text."""

    text: str
    """In one form: no grouping, no currency, no superfluous zeros, `3/4` for a fraction that is no integer."""
    span: tuple[int, int]


def values(text: str, start: int = 0, stop: int | None = None) -> Iterator[Value]:
    """All numbers and fractions in the text, in order; percent and currency signs are left out."""
    yield from filter(None, tokens(text, start, len(text) if stop is None else stop))


def tokens(text: str, start: int, stop: int) -> Iterator[Value | None]:
    """All tokens with digits in the text, in order: a number, or None for a date, a time, a name and the like."""
    return (_value(match) for match in _VALUE.finditer(text, start, stop) if match["skipped"] is None)


def value_at(text: str, start: int, stop: int) -> Value | None:
    """The number that begins exactly at `start`."""
    match = _VALUE.match(text, start, stop)
    return _value(match) if match else None


def only_value(text: str) -> str | None:
    """The number, in one form, if the text is one number and nothing else; None also beyond 1000 digits."""
    text = text.strip().removesuffix("%").rstrip(". ").lstrip("$€£¥₹ ").removeprefix("+")
    match = _VALUE.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    value = _value(match) if match else None
    return value.text if value else None


def exact(text: str) -> Fraction | None:
    """The exact value of a text that is one number and nothing else."""
    form = only_value(text)
    return None if form is None else Fraction(form)


def _value(match: re.Match[str]) -> Value | None:
    if any(match[group] is not None for group in ("skipped", "never", "other")):
        return None
    form = _one_form(match)
    return None if form is None else Value(form, match.span())


def _one_form(match: re.Match[str]) -> str | None:
    """None for a number that is too long."""
    if match["top"] is not None:
        form = _quotient(match["top"], match["bottom"])
        return _negated(form) if match["fraction_sign"] else form
    if match["composed"] is not None:
        return _sum_of_parts(match["composed"])
    if match["power"] is not None:
        value = int(_plain(match["power"])) ** int(match["braced"] or match["bare"])
        return str(value) if abs(value) < 10**_LONGEST_NUMBER else None
    return _with_what_follows(match)


def _with_what_follows(match: re.Match[str]) -> str | None:
    first = _plain(match["first"])
    if match["exponent"] is not None:
        return _shifted(first, _power_of_ten(match["exponent"]))
    if match["scale"] is not None:
        return _shifted(first, _SCALES[match["scale"].strip()])
    part, parts = match["part"] or match["part_of"], match["parts"] or match["parts_of"]
    if part is not None and int(parts) and len(first) <= _LONGEST_NUMBER:
        part = Fraction(int(part), int(parts))
        return str(Fraction(first) + (-part if first.startswith("-") else part))
    return _quotient(match["first"], match["divisor"]) if match["divisor"] is not None else first


def _power_of_ten(exponent: str) -> int:
    """Of `e-3`, `E+06`, `\\times 10^{3}`, `×10⁻³`."""
    plain = exponent.translate(_SUPERSCRIPTS)
    written = plain[1:] if plain[0] in "eE" else plain[plain.index("10") + 2 :]
    return int(re.sub(r"[^\d+-]", "", written))


def _shifted(number: str, places: int) -> str | None:
    """The number times a power of ten."""
    if len(number) + abs(places) > _LONGEST_NUMBER:
        return None
    whole, _, rest = number.lstrip("-").partition(".")
    digits, point = whole + rest, len(whole) + places
    digits = digits.rjust(len(digits) - min(point, 0), "0").ljust(point, "0")
    point = max(point, 0)
    sign = "-" if number.startswith("-") else ""
    return _plain(f"{sign}{digits[:point] or '0'}.{digits[point:] or '0'}")


def _sum_of_parts(composed: str) -> str | None:
    """`1亿2000万` is 120000000; None where the scales do not fall."""
    parts = [(Fraction(number), _SCALES[scale]) for number, scale in _PART.findall(composed)]
    falls = all(one > other for (_, one), (_, other) in pairwise(parts))
    total = sum(number * 10**scale for number, scale in parts)
    return str(total) if falls else None


def _quotient(top: str, bottom: str) -> str:
    top, bottom = _plain(top), _plain(bottom)
    if bottom == "0" or len(top) + len(bottom) > _LONGEST_NUMBER:
        return top
    return str(Fraction(top) / Fraction(bottom))


def _negated(form: str) -> str:
    return form[1:] if form.startswith("-") else f"-{form}"


def _plain(number: str) -> str:
    """The number with ASCII digits, a plain minus, without grouping and superfluous zeros."""
    negative = number[0] in _MINUS
    digits = _SEPARATORS.sub("", number.lstrip(_MINUS))
    if not digits.isascii():
        digits = "".join(character if character == "." else str(unicodedata.decimal(character)) for character in digits)
    whole, _, rest = digits.partition(".")
    rest = rest.rstrip("0")
    whole = whole.lstrip("0") or "0"
    form = f"{whole}.{rest}" if rest else whole
    return f"-{form}" if negative and form != "0" else form
