"""GAOKAO-Bench (Zhang et al. 2023, arXiv:2305.12474): one evaluator for each form of its questions with options.

References are lists of texts, one for each question of the row. All give `score`, the share of points in percent.
Every question counts for itself: one without an answer that can be read gets no point, the others keep theirs.
"""

from collections.abc import Sequence
from typing import Any

from tasks.score.answers.option import option_answer
from tasks.score.answers.option_set import option_set
from tasks.score.benchmarks.gaokao_answers import Answers, answers_in_order
from tasks.score.evaluators.comparison import ComparingEvaluator, paired
from tasks.score.interface import Extraction, ExtractionStatus


class _GaokaoBenchEvaluator(ComparingEvaluator):
    """Points by question."""

    options = "ABCD"
    full = 1
    """Points for a right answer."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for several answers per sample."""
        details = [self._detail(str(text), list(golds)) for text, golds in paired(predictions, references)]
        points = sum(detail["points"] for detail in details)
        return {"score": 100 * points / sum(detail["of"] for detail in details), "details": details}

    def _detail(self, text: str, golds: list[str]) -> dict[str, Any]:
        letters, rule = self.read(text, len(golds))
        points = sum(self.points(letter, gold) for letter, gold in zip(letters, golds, strict=True) if letter)
        of = self.full * len(golds)
        detail = {
            "pred": list(letters), "answer": golds, "correct": points == of, "points": points, "of": of, "rule": rule,
        }  # fmt: skip
        unparsed = [number for number, letter in enumerate(letters, 1) if letter is None]
        return detail | ({"unparsed_questions": unparsed} if 0 < len(unparsed) < len(golds) else {})

    def read(self, text: str, count: int) -> Answers:
        """The answer to each question of a row."""
        return answers_in_order(text, count, self.options) if count > 1 else self._read_one(text)

    def _read_one(self, text: str) -> Answers:
        return _alone(option_answer(text, self.options, last_wins=True))

    def points(self, answer: str, gold: str) -> int:
        """For one question."""
        return self.full * (answer == gold)


class GaokaoSingleChoiceEvaluator(_GaokaoBenchEvaluator):
    """One of `A` to `D` for each question of the row."""


class GaokaoMultiChoiceEvaluator(_GaokaoBenchEvaluator):
    """One or more of `A` to `D`: two points for all of them, one if some are missing and none is wrong."""

    full = 2

    def read(self, text: str, count: int) -> Answers:
        """ValueError for several questions in a row, which the benchmark does not have."""
        if count != 1:
            raise ValueError(f"a row of multiple-select questions has one question, not {count}")
        return _alone(option_set(text, self.options))

    def points(self, answer: str, gold: str) -> int:
        chosen, right = set(answer), set(gold)
        return 2 if chosen == right else 1 if chosen < right else 0


class GaokaoMultiQuestionChoiceEvaluator(_GaokaoBenchEvaluator):
    """Several questions about one text."""


class GaokaoFiveOutOfSevenEvaluator(_GaokaoBenchEvaluator):
    """Five gaps of a text, filled from the sentences `A` to `G`."""

    options = "ABCDEFG"


def _alone(found: Extraction) -> Answers:
    return Answers((found.answer,), str(found.rule if found.status is ExtractionStatus.FOUND else found.status))
