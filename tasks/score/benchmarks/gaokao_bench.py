"""GAOKAO-Bench (Zhang et al. 2023, arXiv:2305.12474): one evaluator for each form of its questions with options.

References are lists of texts, one for each question of the row. All give `score`, the share of points in percent.
"""

import re
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.option import option_answer
from tasks.score.answers.option_patterns import fold
from tasks.score.answers.option_set import option_set
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.evaluators.comparison import ComparingEvaluator, paired
from tasks.score.interface import Extraction, ExtractionStatus

_CUE = re.compile(r"【答案】|答案(?:是|为|选)?[::]?|(?i:\banswers?)(?i:\s(?:is|are))?[::]?")
_GAP = r"(?:[\s,.;:、。()\[\]{}*_#\"'【】<>/\-→~]|\d|第|小题|题|选|答案|and|和|eoa|eoe)"
_RUN = re.compile(rf"(?:{_GAP}{{0,20}}+[A-G](?![a-z])){{1,40}}")
_LETTER = re.compile(r"[A-G]")
_MOST_CUES = 64


def letters_in_order(text: str, count: int) -> Extraction:
    """The `count` letters that the text names one after the other as its answers.

    They stand behind one mark ("答案：A C B", "1. A 2. C 3. B") or each behind its own (`【答案】A …【答案】C`).
    """
    text = fold(mask_reasoning(text))
    cues = list(_CUE.finditer(text))[-_MOST_CUES:]
    for start in (*(cue.end() for cue in reversed(cues)), _last_line(text)):
        found = _run_at(text, start)
        if len(found) == count:
            return Extraction("".join(found), "answers-in-order")
    each = [found[0] for cue in cues if (found := _run_at(text, cue.end()))]
    return Extraction("".join(each), "answer-each") if len(each) == count else Extraction.unparsed()


def _run_at(text: str, start: int) -> list[str]:
    """The letters from `start` on that only marks and numbers divide."""
    run = _RUN.match(text, start)
    return _LETTER.findall(run[0]) if run else []


def _last_line(text: str) -> int:
    return text.rfind("\n", 0, len(text.rstrip())) + 1


class _GaokaoBenchEvaluator(ComparingEvaluator):
    """Points by question: found answers are compared one by one."""

    full = 1
    """Points for a right answer."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for several answers per sample."""
        details = [self._detail(str(text), list(golds)) for text, golds in paired(predictions, references)]
        points = sum(detail["points"] for detail in details)
        return {"score": 100 * points / sum(detail["of"] for detail in details), "details": details}

    def _detail(self, text: str, golds: list[str]) -> dict[str, Any]:
        found = self.read(text, golds)
        answers = self.split(str(found.answer)) if found.status is ExtractionStatus.FOUND else []
        points = sum(map(self.points, answers, golds)) if len(answers) == len(golds) else 0
        of = self.full * len(golds)
        rule = found.rule if found.status is ExtractionStatus.FOUND else str(found.status)
        return {"pred": answers, "answer": golds, "correct": points == of, "points": points, "of": of, "rule": rule}

    def read(self, text: str, golds: Sequence[str]) -> Extraction:
        """The answers to the questions of a row, as one text."""
        return letters_in_order(text, len(golds))

    def split(self, answer: str) -> list[str]:
        """The answer to each question."""
        return list(answer)

    def points(self, answer: str, gold: str) -> int:
        """For one question."""
        return self.full * (answer == gold)


class GaokaoSingleChoiceEvaluator(_GaokaoBenchEvaluator):
    """One of `A` to `D` for each question of the row."""

    def read(self, text: str, golds: Sequence[str]) -> Extraction:
        return option_answer(text, "ABCD", last_wins=True) if len(golds) == 1 else letters_in_order(text, len(golds))


class GaokaoMultiChoiceEvaluator(_GaokaoBenchEvaluator):
    """One or more of `A` to `D`: two points for all of them, one if some are missing and none is wrong."""

    full = 2

    def read(self, text: str, golds: Sequence[str]) -> Extraction:
        return option_set(text, "ABCD")

    def split(self, answer: str) -> list[str]:
        return [answer]

    def points(self, answer: str, gold: str) -> int:
        chosen, right = set(answer), set(gold)
        return 2 if chosen == right else 1 if chosen and chosen < right else 0


class GaokaoMultiQuestionChoiceEvaluator(_GaokaoBenchEvaluator):
    """Several questions about one text."""


class GaokaoFiveOutOfSevenEvaluator(_GaokaoBenchEvaluator):
    """Five gaps of a text, filled from the sentences `A` to `G`."""
