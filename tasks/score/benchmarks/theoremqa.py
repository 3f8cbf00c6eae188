"""TheoremQA (Chen et al. 2023, arXiv:2305.12524): numbers, lists of them, truth values and options."""

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tasks.score.answers.decimal_value import decimal_value
from tasks.score.answers.math_statement import math_answer
from tasks.score.answers.words import answer_words
from tasks.score.evaluators.comparison import ComparingEvaluator, paired, scored
from tasks.score.interface import Extraction, ExtractionStatus

_TOLERANCE = 0.04
"""Relative difference that the benchmark's authors allow for numbers that are not whole."""
_TRUE = frozenset({"true", "yes", "correct"})
_FALSE = frozenset({"false", "no", "incorrect", "wrong"})
_LETTER = re.compile(r"[({\[]?([a-dA-D])[)}\].]?")
_BEFORE, _BEHIND = f"{string.whitespace}$([{{\\", f"{string.whitespace}$)]}}\\."
_BETWEEN = re.compile(r"[,;]|\band\b")


def TheoremQA_postprocess_v3(text: str) -> Extraction:  # noqa: N802  OpenCompass's name
    """What the text announces as its answer ("the answer is …"), else what it boxes, as it is written."""
    found = math_answer(text, box_first=False)
    if found.status is not ExtractionStatus.FOUND:
        return found
    answer = re.sub(r"\\(?:text|mathrm|textbf)\s?\{([^{}]{0,80})\}", r"\1", str(found.answer)).strip(" $")
    return Extraction(answer, found.rule, found.span)


class TheoremQAEvaluatorV3(ComparingEvaluator):
    """`score`: equal by the row's `Answer_type`. Whole numbers must be equal, others may differ by 4 %; the order of a
    list does not count.
    """

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """ValueError for several answers per sample, or a type of answer that is not known."""
        details = [
            {"pred": prediction, "answer": reference, "correct": _rule(row)(str(prediction), str(reference))}
            for (prediction, reference), row in zip(paired(predictions, references), test_set, strict=True)
        ]
        return scored("score", details)


def _rule(row: Mapping[str, Any]) -> Callable[[str, str], bool]:
    kind = str(row["Answer_type"])
    if kind not in _RULES:
        raise ValueError(f"the type of answer {kind!r} is not known; known are {', '.join(_RULES)}")
    return _RULES[kind]


def _same_number(prediction: str, reference: str) -> bool:
    ours, theirs = decimal_value(reference), _value_of(prediction)
    if ours is None or theirs is None:
        return False
    if ours == int(ours) and "." not in reference:
        return abs(theirs - ours) <= 1e-6 * max(1.0, abs(ours))
    return abs(theirs - ours) <= _TOLERANCE * abs(ours)


def _value_of(prediction: str) -> float | None:
    """The number of `x = 3`, `\\approx 3`, `3`."""
    return decimal_value(re.split(r"=|\\approx|≈", prediction)[-1].removesuffix("%").removesuffix("\\"))


def _same_list(prediction: str, reference: str) -> bool:
    ours, theirs = _numbers(reference), _numbers(prediction)
    if ours is None or theirs is None or len(ours) != len(theirs):
        return False
    pairs = zip(sorted(ours), sorted(theirs), strict=True)
    return all(abs(one - other) <= max(_TOLERANCE * abs(one), 1e-6) for one, other in pairs)


def _numbers(text: str) -> list[float] | None:
    items = [decimal_value(item) for item in _items(text.lstrip(_BEFORE).rstrip(_BEHIND)) if item]
    return None if None in items else [item for item in items if item is not None]


def _items(text: str) -> Iterator[str]:
    """The pieces between commas, semicolons and `and`s that stand in no parentheses."""
    start = 0
    for between in _BETWEEN.finditer(text):
        closing = text.find(")", between.end())
        if closing < 0 or text.find("(", between.end(), closing) >= 0:
            yield text[start : between.start()].strip()
            start = between.end()
    yield text[start:].strip()


def _same_truth(prediction: str, reference: str) -> bool:
    words = set(answer_words(prediction))
    said = {True} if words & _TRUE else set[bool]()
    said |= {False} if words & _FALSE else set[bool]()
    return said == {reference == "True"}


def _same_letter(prediction: str, reference: str) -> bool:
    ours, theirs = _LETTER.fullmatch(reference.strip("' ")), _LETTER.match(prediction.strip())
    return ours is not None and theirs is not None and ours[1].lower() == theirs[1].lower()


_RULES: dict[str, Callable[[str, str], bool]] = {
    "integer": _same_number,
    "float": _same_number,
    "bool": _same_truth,
    "option": _same_letter,
    "list of integer": _same_list,
    "list of float": _same_list,
}
