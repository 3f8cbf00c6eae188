"""Tasks of LawBench whose answers are numbers, in Chinese numerals too: articles, prison terms, sums of money.

All give `score`, from 0 to 100, and `abstention_rate`, the share of samples without a number (arXiv:2309.16289).
"""

import re
from collections.abc import Sequence
from math import log
from typing import Any

from tasks.score.answers.reasoning import without_reasoning
from tasks.score.benchmarks.lawbench.evaluators import left_out, percentages
from tasks.score.benchmarks.lawbench.labels import set_f1
from tasks.score.interface import BaseEvaluator

_NUMERAL = re.compile(r"[零〇一二两三四五六七八九十百千万]{1,20}")
_ARTICLES = re.compile(r"法条:刑法第(\d+(?:、\d+)*)条")
_PARAGRAPH = re.compile(r"第[^条]{1,12}?款")
_NUMBER = re.compile(r"\d+")
_TERM = re.compile(r"刑期:(\d+)个月")
_NO_TERM = ("死刑", "无期")
_MONTHS = (re.compile(r"(\d{1,6})个月"), re.compile(r"(\d{1,6})月"))
_YEARS = re.compile(r"(\d{1,6})年")
_LONGEST_TERM = 216
"""Months; the logarithm of it is the greatest distance that counts."""
_SUM = re.compile(r"上文涉及到的犯罪金额:(\d+\.?\d*)元。")
_AMOUNT = re.compile(r"\d+\.?\d*")


class LawBenchEvaluator_3_1(BaseEvaluator):  # noqa: N801  OpenCompass's name
    """Articles of the criminal law that the facts fall under: F1."""

    libraries = ("cn2an",)

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that names no article."""
        details: list[dict[str, Any]] = []
        for prediction, reference in zip(predictions, references, strict=True):
            gold = [int(number) for number in _read(_ARTICLES, reference)[1].split("、")]
            named = _articles(without_reasoning(str(prediction)))
            details.append({"pred": named, "answer": gold, "score": 100 * set_f1(named, gold)})
        return percentages([detail["score"] / 100 for detail in details], details)


class LawBenchEvaluator_3_4(BaseEvaluator):  # noqa: N801
    """The term of imprisonment in months: 1 less the distance of the logarithms, as a share of the greatest.

    Rows whose reference is death or prison for life have no term and are left out, as the benchmark does.
    """

    libraries = ("cn2an",)

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is no term."""
        details = [
            left_out(reference) if any(word in reference for word in _NO_TERM) else _term(str(prediction), reference)
            for prediction, reference in zip(predictions, references, strict=True)
        ]
        return percentages([detail["score"] / 100 for detail in details if "score" in detail], details)


class LawBenchEvaluator_3_5(LawBenchEvaluator_3_4):  # noqa: N801
    """The same where the question names the article."""


class LawBenchEvaluator_3_7(BaseEvaluator):  # noqa: N801
    """The sum of money in a crime: right if it is one of the numbers of the answer."""

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is no sum."""
        details: list[dict[str, Any]] = []
        for prediction, reference in zip(predictions, references, strict=True):
            gold = float(_read(_SUM, reference)[1])
            named = [float(number) for number in _AMOUNT.findall(without_reasoning(str(prediction)))]
            details.append({"pred": named, "answer": gold, "correct": gold in named})
        return percentages([float(detail["correct"]) for detail in details], details)


def _read(pattern: re.Pattern[str], reference: str) -> re.Match[str]:
    match = pattern.fullmatch(reference)
    if match is None:
        raise ValueError(f"the reference {reference!r:.80} has not the form of this task")
    return match


def _articles(text: str) -> list[int]:
    """The first number of each part between enumeration commas, paragraphs of articles left out."""
    parts = (_PARAGRAPH.sub("", part.replace("万元", "元")) for part in text.split("、"))
    found = (_NUMBER.search(_arabic(part)) for part in parts)
    return [int(match[0][:6]) for match in found if match]


def _term(prediction: str, reference: str) -> dict[str, Any]:
    gold, named = int(_read(_TERM, reference)[1]), _months(_arabic(without_reasoning(prediction)))
    return {"pred": named, "answer": gold, "score": 100 * _closeness(named, gold)}


def _months(text: str) -> int | None:
    """The first number of months, else of years times twelve."""
    for pattern in _MONTHS:
        if match := pattern.search(text):
            return int(match[1])
    years = _YEARS.search(text)
    return 12 * int(years[1]) if years else None


def _closeness(named: int | None, gold: int) -> float:
    return 0.0 if named is None else 1 - abs(log(gold + 1) - log(named + 1)) / log(_LONGEST_TERM)


def _arabic(text: str) -> str:
    """The text with its Chinese numerals in Arabic ones."""
    from cn2an import cn2an

    def number(match: re.Match[str]) -> str:
        try:
            return str(cn2an(match[0], "smart"))
        except (ValueError, KeyError):  # cn2an raises either for digits in an order that is not a number
            return match[0]

    return _NUMERAL.sub(number, text)
