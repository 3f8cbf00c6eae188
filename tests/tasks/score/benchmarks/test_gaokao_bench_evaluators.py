"""Answers to the choice questions of GAOKAO-Bench, read from what models write."""

from typing import Any

import pytest

from tasks.score.benchmarks.gaokao_bench import (
    GaokaoFiveOutOfSevenEvaluator,
    GaokaoMultiChoiceEvaluator,
    GaokaoMultiQuestionChoiceEvaluator,
    GaokaoSingleChoiceEvaluator,
    letters_in_order,
)
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize(
    ("text", "count", "letters"),
    [
        ("先分析。\n【答案】A C B", 3, "ACB"),
        ("【答案】A<eoa>\n…\n【答案】C<eoa>", 2, "AC"),
        ("1. A 2. C 3. B", 3, "ACB"),
        ("答案：\n36. C\n37. D", 2, "CD"),
        ("所以答案是 A、C、B。", 3, "ACB"),
        ("我选的是\nACBDE", 5, "ACBDE"),
        ("Answers: A, C and B", 3, "ACB"),
    ],
)
def test_letters_in_order(text: str, count: int, letters: str):
    assert letters_in_order(text, count).answer == letters


@pytest.mark.parametrize("text", ["", "没想好", "【答案】A C", "A teacher asked B and C about Dogs", "【答案】A B C D"])
def test_another_number_of_letters_is_no_answer(text: str):
    assert letters_in_order(text, 3).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    ("evaluator", "text", "gold", "points"),
    [
        (GaokaoSingleChoiceEvaluator(), "【答案】D", ["D"], 100),
        (GaokaoSingleChoiceEvaluator(), "我认为选D。", ["C"], 0),
        (GaokaoMultiChoiceEvaluator(), "【答案】AC", ["AC"], 100),
        (GaokaoMultiChoiceEvaluator(), "答案：C、A", ["AC"], 100),
        (GaokaoMultiChoiceEvaluator(), "【答案】A", ["AC"], 50),
        (GaokaoMultiChoiceEvaluator(), "【答案】ABC", ["AC"], 0),
        (GaokaoMultiQuestionChoiceEvaluator(), "【答案】A C D", ["A", "C", "B"], 100 * 2 / 3),
        (GaokaoFiveOutOfSevenEvaluator(), "【答案】GFEDC", ["G", "F", "E", "D", "C"], 100),
    ],
)
def test_points(evaluator: Any, text: str, gold: list[str], points: float):
    assert evaluator.score([text], [gold])["score"] == pytest.approx(points)


def test_questions_count_not_rows():
    score = GaokaoMultiQuestionChoiceEvaluator().score(["【答案】A B", "【答案】C"], [["A", "B"], ["D"]])
    assert score["score"] == pytest.approx(100 * 2 / 3)
    assert [detail["correct"] for detail in score["details"]] == [True, False]
    assert score["details"][0]["rule"] == "answers-in-order"
