"""TheoremQA (Chen et al. 2023, arXiv:2305.12524): numbers, lists of them, truth values and options."""

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tasks.score.answers.decimal_value import decimal_value
from tasks.score.answers.number import number_of_clause
from tasks.score.answers.option import option_answer
from tasks.score.answers.short_text import stated_clause
from tasks.score.answers.truth import truth_of_clause
from tasks.score.answers.words import answer_words
from tasks.score.evaluators.comparison import ComparingEvaluator, paired, percentage
from tasks.score.interface import Extraction, ExtractionStatus

_TOLERANCE = 0.04
"""Relative difference that the benchmark's authors allow for numbers that are not whole."""
_LONGEST_LIST = 2000
_TRUE = frozenset({"true", "yes", "correct"})
_FALSE = frozenset({"false", "no", "incorrect", "wrong"})
_LETTER = re.compile(r"[({\[]?([a-fA-F])[)}\].]?")
_LABEL = re.compile(r"^\s*\(?[a-fA-F]\)\s+(?=\S)")
"""The option that stands before its value: `(c) 18`."""
_FORMULA = re.compile(r"\s*(?:\${1,2}|\\\(|\\\[)(?P<inside>[^$\n]{1,400}?)(?:\${1,2}|\\\)|\\\])")
_BRACKETED = re.compile(
    r"[\s$\\]*(?P<open>[\[({])(?P<inside>(?:[^\[\](){}\n]|\([^()\n]{0,80}\)|\{[^{}\n]{0,80}\}){1,400})[\])}\\]"
)
_BEFORE, _BEHIND = f"{string.whitespace}$([{{\\", f"{string.whitespace}$)]}}\\."
_CHOSEN = re.compile(r"\W*(?i:yes|no|true|false|correct|incorrect)\b(?!\s(?:or|and)\b)")
"""One of the two words, without the other one directly behind it."""
_BETWEEN = re.compile(r"[,;]|\band\b")


def TheoremQA_postprocess_v3(text: str) -> Extraction:  # noqa: N802  OpenCompass's name
    """The sentence that the text announces as its answer ("the answer is …"), else what it boxes.

    What surrounds the answer stays: only with the row's type of answer is it known what to look for.
    """
    found = stated_clause(text)
    if found.status is not ExtractionStatus.FOUND:
        return found
    answer = re.sub(r"\\(?:text|mathrm|textbf)\s?\{([^{}]{0,80})\}", r"\1", str(found.answer)).strip()
    return Extraction(answer, found.rule, found.span) if answer else Extraction.unparsed()


class TheoremQAEvaluatorV3(ComparingEvaluator):
    """`score`: equal by the row's `Answer_type`. Whole numbers must be equal, others may differ by 4 %; the order of a
    list does not count.

    `published_rule`: by the rule of the benchmark's authors, which rounds predictions where the answer is a whole
    number (69.5 is 70) and takes 0 for False and 1 for True.
    """

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        """ValueError for several answers per sample, or a type of answer that is not known."""
        details: list[dict[str, Any]] = []
        for (prediction, reference), row in zip(paired(predictions, references), test_set, strict=True):
            said, gold = str(prediction), str(reference)
            correct = _rule(row)(said, gold)
            by_authors = correct or _PUBLISHED.get(str(row["Answer_type"]), _same_letter)(said, gold)
            details.append({"pred": prediction, "answer": reference, "correct": correct, "published_rule": by_authors})
        published = percentage([detail["published_rule"] for detail in details])
        return {
            "score": percentage([detail["correct"] for detail in details]),
            "published_rule": published,
            "details": details,
        }


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
    """The number of `x = 3`, `\\approx 3`, `3`, `2041 meters`, `(c) 18`, `that the firm hires 200 workers`."""
    clause = _LABEL.sub("", prediction, count=1)
    formula = _FORMULA.match(clause)
    for text in (clause, formula["inside"] if formula else ""):
        value = decimal_value(re.split(r"=|\\approx|≈", text)[-1].removesuffix("%").removesuffix("\\"))
        if value is not None:
            return value
    number = number_of_clause(clause)
    return None if number is None else decimal_value(number)


def _same_list(prediction: str, reference: str) -> bool:
    pairs = _pairs(prediction, reference)
    return pairs is not None and all(abs(one - other) <= max(_TOLERANCE * abs(one), 1e-6) for one, other in pairs)


def _pairs(prediction: str, reference: str) -> list[tuple[float, float]] | None:
    """The numbers of the reference with those of the prediction, both in rising order."""
    ours, theirs = _numbers(reference), _numbers(prediction)
    if ours is None or theirs is None or len(ours) != len(theirs):
        return None
    return list(zip(sorted(ours), sorted(theirs), strict=True))


def _numbers(text: str) -> list[float] | None:
    """The numbers of `[1, 0, 1]`, with or without brackets; what stands behind the brackets is left out."""
    if len(text) > _LONGEST_LIST:
        return None
    bracketed = _BRACKETED.match(_LABEL.sub("", text, count=1))
    inside = bracketed["inside"] if bracketed else text.lstrip(_BEFORE).rstrip(_BEHIND)
    items = [decimal_value(item) for item in _items(inside) if item]
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
    """What the answer begins with counts: "True: no subsequence …" is true. Else it must hold words for one alone."""
    words = set(answer_words(prediction))
    if words & _TRUE and words & _FALSE and not _CHOSEN.match(prediction):
        return False
    first = truth_of_clause(prediction)
    said = bool(words & _TRUE) if first is None else first
    return said == (reference == "True") and (first is not None or bool(words & (_TRUE | _FALSE)))


def _same_letter(prediction: str, reference: str) -> bool:
    found = option_answer(f"Answer: {prediction}", "abcdef")
    gold = _LETTER.fullmatch(reference.strip("' "))
    return gold is not None and found.answer == gold[1].lower()


def _published_integer(prediction: str, reference: str) -> bool:
    ours, theirs = decimal_value(reference), _value_of(prediction)
    return ours is not None and theirs is not None and round(theirs) == ours


def _published_truth(prediction: str, reference: str) -> bool:
    """0 is False and 1 is True, once rounded."""
    value = _value_of(prediction)
    return value is not None and round(value) == (reference == "True")


def _published_list(prediction: str, reference: str) -> bool:
    pairs = _pairs(prediction, reference)
    is_whole = "." not in reference
    return pairs is not None and all(
        round(said) == gold if is_whole else abs(said - gold) <= _TOLERANCE * abs(gold) for gold, said in pairs
    )


_RULES: dict[str, Callable[[str, str], bool]] = {
    "integer": _same_number,
    "float": _same_number,
    "bool": _same_truth,
    "option": _same_letter,
    "list of integer": _same_list,
    "list of float": _same_list,
}
_PUBLISHED: dict[str, Callable[[str, str], bool]] = {
    "integer": _published_integer,
    "float": _same_number,
    "bool": _published_truth,
    "option": _same_letter,
    "list of integer": _published_list,
    "list of float": _published_list,
}
