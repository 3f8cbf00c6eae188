"""Numbers as they are written in answers: found in text, brought to one form, compared exactly."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

_MINUS = "-−–"
_CURRENCY = r"(?:\\?[$€£¥₹])"
# A separator groups digits only before exactly three of them: "1,2" is two numbers.
_SEPARATOR = r"(?:,\\!|,|\{,\}|\\,|[\u00a0\u2009\u202f])"
_DIGITS = rf"(?:\d{{1,3}}(?:{_SEPARATOR}\d{{3}}(?!\d))++|\d++)"
_SIGN = rf"(?:(?<![\w)\]}}%])[{_MINUS}]{_CURRENCY}?)?"
_DECIMAL = rf"(?:{_DIGITS}(?:\.\d++)?|(?<![\w.])\.\d++)"
_NUMBER = rf"{_SIGN}{_DECIMAL}"
_PLAIN = rf"{_CURRENCY}?{_DECIMAL}"
_VALUE = re.compile(
    rf"(?P<fraction_sign>[{_MINUS}])?\\[dt]?frac\{{(?P<top>{_NUMBER})\}}\{{(?P<bottom>{_NUMBER})\}}"
    rf"|(?P<first>{_NUMBER})"
    rf"(?:[ ](?P<part>\d{{1,9}}+)/(?P<parts>\d{{1,9}}+)(?![\d/])|\s?/\s?(?P<divisor>{_PLAIN})(?!\s?/))?"
)
_SEPARATORS = re.compile(rf"{_SEPARATOR}|{_CURRENCY}")
_LONGEST_NUMBER = 1000


@dataclass(frozen=True, slots=True)
class Value:
    """A number found in text."""

    text: str
    """In one form: no grouping, no currency, no superfluous zeros, `3/4` for a fraction that is no integer."""
    span: tuple[int, int]


def values(text: str, start: int = 0, stop: int | None = None) -> Iterator[Value]:
    """All numbers and fractions in the text, in order; percent and currency signs are left out."""
    for match in _VALUE.finditer(text, start, len(text) if stop is None else stop):
        yield Value(_one_form(match), match.span())


def value_at(text: str, start: int, stop: int) -> Value | None:
    """The number that begins exactly at `start`."""
    match = _VALUE.match(text, start, stop)
    return Value(_one_form(match), match.span()) if match else None


def only_value(text: str) -> str | None:
    """The number, in one form, if the text is one number and nothing else; None also beyond 1000 digits."""
    text = text.strip().removesuffix("%").rstrip(". ").lstrip("$€£¥₹ ").removeprefix("+")
    match = _VALUE.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    return _one_form(match) if match else None


def exact(text: str) -> Fraction | None:
    """The exact value of a text that is one number and nothing else."""
    form = only_value(text)
    return None if form is None else Fraction(form)


def _one_form(match: re.Match[str]) -> str:
    if match["top"] is not None:
        form = _quotient(match["top"], match["bottom"])
        return _negated(form) if match["fraction_sign"] else form
    if match["part"] is not None and int(match["parts"]):
        whole, part = _plain(match["first"]), Fraction(int(match["part"]), int(match["parts"]))
        if len(whole) <= _LONGEST_NUMBER:
            return str(Fraction(whole) + (-part if whole.startswith("-") else part))
    if match["divisor"] is not None:
        return _quotient(match["first"], match["divisor"])
    return _plain(match["first"])


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
