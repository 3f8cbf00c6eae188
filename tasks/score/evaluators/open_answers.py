"""Evaluators for free short answers with one or several accepted ones: NQ, TriviaQA, DROP, SQuAD, LAMBADA.

Answers are compared as whole words: "no" is not found in "know", 1 not in 2019, and nothing in an empty answer.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.short_text import short_answer
from tasks.score.answers.words import answer_words, holds, is_telling
from tasks.score.evaluators.comparison import ComparingEvaluator, golds_of, paired, scored
from tasks.score.interface import Extraction, ExtractionStatus

_CLAUSE_END = re.compile(r"[.,](?=\s|$)|\n")
_BLANK = re.compile(r"\s")
_AROUND_A_WORD = "\"'“”‘’`*_()[]{}<>«».,;:!?…—–-"


class EMEvaluator(ComparingEvaluator):
    """`score`: the prediction, its first line or its first clause is one of the accepted answers, as words.

    A prediction that is a list is right if it holds the parts of the reference in their order.
    """

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without an accepted answer."""
        details = [
            {"pred": prediction, "answer": reference, "correct": _is_exact(prediction, reference, number)}
            for number, (prediction, reference) in enumerate(zip(predictions, references, strict=True))
        ]
        return scored("score", details)


class NQEvaluator(ComparingEvaluator):
    """`score`: an accepted answer stands in what the prediction states as its answer, or in its first line."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without an accepted answer."""
        return _contained(predictions, references)


class TriviaQAEvaluator(NQEvaluator):
    """As `NQEvaluator`."""


class DropOpenAIEvaluator(ComparingEvaluator):
    """`accuracy`: what the prediction states as its answer holds an accepted answer, or stands in one.

    A text that states none counts as a whole; if it has several lines that is a guess, `fallback:whole-text`.
    References separate accepted answers by a vertical bar.
    """

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without an accepted answer."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            golds = golds_of(reference.split("|") if isinstance(reference, str) else reference, number)
            found = _drop_answer(str(prediction))
            words = answer_words(found.answer or "")
            accepted = [answer_words(gold) for gold in golds]
            correct = any(holds(words, gold) or (is_telling(words) and holds(gold, words)) for gold in accepted)
            details.append(_detail(found, golds, correct))
        return scored("accuracy", details)


class SquadEvaluator(ComparingEvaluator):
    """`f1` over words and `exact_match`, each against the best of the accepted answers (Rajpurkar et al. 2016)."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without an accepted answer."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            golds = [answer_words(gold) for gold in golds_of(reference, number)]
            words = answer_words(str(prediction))
            best = max(word_f1(words, gold) for gold in golds)
            details.append({"pred": prediction, "answer": reference, "f1": 100 * best, "correct": words in golds})
        count = max(len(details), 1)
        f1 = sum(detail["f1"] for detail in details) / count
        return {"f1": f1, "exact_match": 100 * sum(detail["correct"] for detail in details) / count, "details": details}


class LambadaEvaluator(ComparingEvaluator):
    """`accuracy`: the first word of the prediction, without the signs around it, is the reference; case matters."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for an empty reference."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            [gold] = golds_of(str(reference), number)
            word = _first_word(str(prediction))
            details.append({"pred": word, "answer": reference, "correct": bool(word) and word == _first_word(gold)})
        return scored("accuracy", details)


def word_f1(words: Sequence[str], gold: Sequence[str]) -> float:
    """The harmonic mean of precision and recall of the words, each counted as often as it occurs; from 0 to 1."""
    shared = (Counter(words) & Counter(gold)).total()
    return 2 * shared / (len(words) + len(gold)) if shared else 0.0


def _is_exact(prediction: Any, reference: Any, number: int) -> bool:
    golds = golds_of(reference, number)
    if isinstance(prediction, list):
        return [answer_words(str(part)) for part in prediction] == [answer_words(gold) for gold in golds]
    text = str(prediction).strip()
    forms = {answer_words(form) for form in (text, text.split("\n", 1)[0], _CLAUSE_END.split(text, maxsplit=1)[0])}
    return any(answer_words(gold) in forms for gold in golds)


def _contained(predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:
    details: list[dict[str, Any]] = []
    for number, (prediction, reference) in enumerate(paired(predictions, references)):
        golds = golds_of(reference, number)
        found = short_answer(str(prediction))
        words = answer_words(found.answer or "")
        details.append(_detail(found, reference, any(holds(words, answer_words(gold)) for gold in golds)))
    return scored("score", details)


def _detail(found: Extraction, reference: Any, correct: bool) -> dict[str, Any]:
    rule = found.rule if found.status is ExtractionStatus.FOUND else str(found.status)
    return {"pred": found.answer or "", "answer": reference, "correct": correct, "rule": rule}


def _drop_answer(text: str) -> Extraction:
    found = short_answer(text)
    if found.rule != "first-line" or "\n" not in text.strip():
        return found
    return Extraction(text.strip(), "fallback:whole-text", (0, len(text)))


def _first_word(text: str) -> str:
    return _BLANK.split(text.strip(), maxsplit=1)[0].strip(_AROUND_A_WORD)
