"""Evaluators of mathematical answers: by their form and value, or with symbolic algebra by math-verify.

References and predictions are read by the same rules, so that both may be bare answers or texts that state one.
"""

import logging
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.math_form import math_form, rational
from tasks.score.answers.math_statement import math_answer
from tasks.score.evaluators.comparison import ComparingEvaluator, paired, scored
from tasks.score.evaluators.math_equality import (
    Version,
    as_interval,
    differ_in_unit,
    same_math,
    same_share,
    spelled_out,
)
from tasks.score.interface import Extraction, ExtractionStatus
from tasks.score.parallel import Lost, spread_limited

_log = logging.getLogger(__name__)

_SECONDS = 10.0
"""That one comparison may take; then the answer counts as wrong."""
_JUDGE = "tasks.score.evaluators.math_verification.judge"
_LONGEST = 1000
"""Characters of an answer that math-verify is asked about."""


class MATHEvaluator(ComparingEvaluator):
    r"""`accuracy`: the same number, or the same expression written alike (`\frac12`, `1/2`, `0.5`).

    `version` `v2` also takes `x\in(1,2)` for `(1,2)`, `inf` for `\infty` and so on.
    """

    def __init__(self, version: Version = "v1", pred_postprocessor: dict[str, Any] | None = None) -> None:
        super().__init__(pred_postprocessor)
        self.version: Version = version

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for an empty reference."""
        details: list[dict[str, Any]] = []
        for prediction, reference in paired(predictions, references):
            gold = _gold(reference, len(details))
            answer, rule = _answer(str(prediction))
            correct = same_math(gold, answer, self.version)
            details.append(_detail(answer, reference, rule, correct))
        return scored("accuracy", details)


class MATHVerifyEvaluator(ComparingEvaluator):
    r"""`accuracy`: equal by form or exact value, else by math-verify, which knows algebra, sets, intervals, matrices.

    An inequality equals its interval, `25\%` equals `0.25`, and `i` is the imaginary unit.

    math-verify works in processes of its own with limits of time and memory; what exceeds them is wrong, and says so.
    """

    libraries = ("math-verify", "latex2sympy2-extended", "sympy", "antlr4-python3-runtime")

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that cannot be read as mathematics."""
        details: list[dict[str, Any]] = []
        open_pairs: list[tuple[int, str, str]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            gold = _gold(reference, number)
            answer, rule = _answer(str(prediction))
            verdict = _at_once(gold, answer)
            if verdict is None and rule != ExtractionStatus.UNPARSED:
                open_pairs.append((number, spelled_out(gold), spelled_out(answer)))
            details.append(_detail(answer, reference, rule, bool(verdict)))
        self._verify(open_pairs, details)
        return scored("accuracy", details)

    def _verify(self, open_pairs: Sequence[tuple[int, str, str]], details: list[dict[str, Any]]) -> None:
        golds = {gold: number for number, gold, _ in reversed(open_pairs)}
        distinct = dict.fromkeys((gold, answer) for _, gold, answer in open_pairs)
        questions: list[tuple[str, str | None]] = [*((gold, None) for gold in golds), *distinct]
        verdicts: dict[tuple[str, str | None], bool | Lost] = {}
        for question, verdict in zip(questions, spread_limited(_JUDGE, questions, _SECONDS), strict=True):
            if question[1] is None and verdict is False:
                raise ValueError(f"reference {golds[question[0]]} cannot be read as mathematics: {question[0]!r:.80}")
            verdicts[question] = verdict
        for number, gold, answer in open_pairs:
            verdict = verdicts[gold, answer]
            details[number]["correct"] = verdict is True
            if isinstance(verdict, Lost):
                details[number]["note"] = f"math-verify {verdict.value}"
                _log.warning("sample %d: math-verify %s, which counts as wrong: %.80r", number, verdict.value, answer)


def _detail(answer: str, reference: Any, rule: str | None, correct: bool) -> dict[str, Any]:
    """A text that says more than an answer and yet equals the reference is one."""
    rule = "whole-text" if correct and rule == ExtractionStatus.UNPARSED else rule
    return {"pred": answer, "answer": reference, "correct": correct, "rule": rule}


def _at_once(gold: str, answer: str) -> bool | None:
    """The verdict where it needs no algebra, else None."""
    if not answer or len(answer) > _LONGEST:
        return False
    if same_math(gold, answer) or same_share(gold, answer):
        return True
    if differ_in_unit(gold, answer):
        return False
    ours, theirs = (as_interval(math_form(spelled_out(text)).text) for text in (gold, answer))
    if same_math(ours, theirs):
        return True
    return None if rational(ours) is None or rational(theirs) is None else False


def _gold(reference: Any, number: int) -> str:
    stated = _stated(str(reference))
    gold = str(reference) if stated is None else stated.answer
    if not math_form(gold).text:
        raise ValueError(f"reference {number} is empty")
    return gold


def _answer(prediction: str) -> tuple[str, str | None]:
    """The answer of a prediction with the rule that found it; a prediction that states none counts as a whole."""
    found = math_answer(prediction)
    if found.status is ExtractionStatus.FOUND:
        return found.answer, found.rule
    return (prediction.strip() if len(prediction) <= _LONGEST else ""), str(found.status)


def _stated(text: str) -> Extraction | None:
    found = math_answer(text)
    return found if found.status is ExtractionStatus.FOUND else None
