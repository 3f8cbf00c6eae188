"""Whether two mathematical answers are equal, by math-verify. For processes that can be ended: it may take for ever.

math-verify alone is too lenient in places: it rounds exact values to six decimals (1/2004! equals 1/2006!) and drops
subscripts (a number's base). What it calls equal is checked against that here.
"""

import re
from typing import Any

_BASE = re.compile(r"(?<=[\dA-Fa-f])_\{?(\d{1,2})\}?")
_DIGITS = 60
_NEGLIGIBLE = 1e-5
"""Relative difference that a decimal fraction with few places may have from an irrational value."""


def judge(question: tuple[str, str | None]) -> bool:
    """For a reference and a prediction, both bare answers: whether they are equal; for a reference alone whether
    there is anything in it that a prediction could be equal to."""
    gold, answer = question
    return bool(_parsed(gold)) if answer is None else _verify(gold, answer)


def _verify(gold: str, answer: str) -> bool:
    from math_verify import verify

    ours, theirs = _parsed(gold), _parsed(answer)
    if not ours or not theirs or not _bases(gold, answer):
        return False
    if _same_complex(ours[0], theirs[0]):
        return True
    return verify(ours, theirs, timeout_seconds=0) and not _are_apart(ours[0], theirs[0])


def _parsed(answer: str) -> list[Any]:
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse

    configs = [LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig()]
    return parse(f"${answer}$", configs, parsing_timeout=0)


def _bases(gold: str, answer: str) -> bool:
    """Whether the bases of numbers agree, where both state them."""
    ours, theirs = _BASE.findall(gold), _BASE.findall(answer)
    return not ours or not theirs or ours == theirs


def _same_complex(gold: Any, answer: Any) -> bool:
    """Whether both are the same complex number, `i` being the imaginary unit: math-verify takes it for a variable."""
    from sympy import Expr, I, simplify

    if not (isinstance(gold, Expr) and isinstance(answer, Expr)):
        return False
    variables: Any = gold.free_symbols | answer.free_symbols
    if {variable.name for variable in variables} != {"i"}:
        return False
    return simplify((gold - answer).subs(dict.fromkeys(variables, I)).doit()) == 0


def _are_apart(gold: Any, answer: Any) -> bool:
    """Whether both are single numbers of different value."""
    from sympy import Expr, Float

    if not (isinstance(gold, Expr) and isinstance(answer, Expr) and gold.is_number and answer.is_number):
        return False
    difference = abs((gold - answer).evalf(_DIGITS))
    scale = max(abs(gold.evalf(_DIGITS)), abs(answer.evalf(_DIGITS)))
    inexact = gold.has(Float) or answer.has(Float)
    return bool(difference > scale * (_NEGLIGIBLE if inexact else 10.0 ** (10 - _DIGITS)))
