"""Answers to the choice questions of GAOKAO-Bench, read from what models write."""

from typing import Any

import pytest

from tasks.score.benchmarks.gaokao_answers import answers_in_order
from tasks.score.benchmarks.gaokao_bench import (
    GaokaoFiveOutOfSevenEvaluator,
    GaokaoMultiChoiceEvaluator,
    GaokaoMultiQuestionChoiceEvaluator,
    GaokaoSingleChoiceEvaluator,
)


def _shown(text: str, count: int) -> str:
    """The answers as letters, `-` where a question has none."""
    return "".join(letter or "-" for letter in answers_in_order(text, count).letters)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("先分析。\n【答案】A C B", "ACB"),
        ("【答案】A<eoa>\n…\n【答案】C<eoa>", "AC"),
        ("1. A 2. C 3. B", "ACB"),
        ("答案：\n36. C\n37. D", "CD"),
        ("所以答案是 A、C、B。", "ACB"),
        ("我选的是\nACBDE", "ACBDE"),
        ("Answers: A, C and B", "ACB"),
        ("（1）所以答案是A。<eoe>\n【答案】: A <eoa>\n（2）答案是D。<eoe>\n【答案】: D <eoa>", "AD"),
        ("(1) 所以选C，答案是C。\n【答案】C\n(2) 因此答案是B。\n【答案】B\n(3) 答案是C。\n【答案】C", "CBC"),
        ("第1题 答案是B。\n第2题 答案是C。\n第3题 答案是A。", "BCA"),
        ("一、【答案】D\n二、【答案】A", "DA"),
    ],
)
def test_all_answers(text: str, letters: str):
    assert _shown(text, len(letters)) == letters


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("48. 【答案】 A\n49. The passage does not say.\n50. No information is given.\n51. 【答案】 D", "A--D"),
        ("1.【答案】 The question does not fit the passage.\n2.【答案】 B\n3.【答案】 C", "-BC"),
        ("（1）【答案】 B <eoa>\n（2）【答案】 文中没有提到。 <eoa>\n（3）【答案】 C <eoa>", "B-C"),
        ("21. 【答案】 C\n22. 【答案】 B\n23. The passage does not name the train.", "CB-"),
        ("【答案】A\n说明略。\n【答案】无法判断\n说明略。\n【答案】D", "A-D"),
        ("【答案】36. C 37. A 39. B 40. D", "CA-BD"),
        ("【答案】1. C 2. A 4. B", "CA-B-"),
        ("【答案】B D A G", "BDAG-"),
        ("答案：A、C", "AC-"),
        ("1. 选A。\n2. 选B或C。\n3. 选D。", "A-D"),
    ],
)
def test_what_is_read_counts_and_the_rest_is_unparsed_for_its_question(text: str, letters: str):
    assert _shown(text, len(letters)) == letters


@pytest.mark.parametrize(
    "text",
    ["", "没想好", "A teacher asked B and C about Dogs", "【答案】A B C D", "1. …\n2. …\n3. …", "【答案】1. A 9. B"],
)
def test_answers_whose_questions_cannot_be_told_are_unparsed(text: str):
    assert answers_in_order(text, 3) == ((None, None, None), "unparsed")


@pytest.mark.parametrize(
    ("evaluator", "text", "gold", "points"),
    [
        (GaokaoSingleChoiceEvaluator(), "【答案】D", ["D"], 100),
        (GaokaoSingleChoiceEvaluator(), "我认为选D。", ["C"], 0),
        (GaokaoSingleChoiceEvaluator(), "所以，正确答案是A。其他选项都不对。\n【答案】: A", ["A"], 100),
        (GaokaoMultiChoiceEvaluator(), "【答案】AC", ["AC"], 100),
        (GaokaoMultiChoiceEvaluator(), "答案是AC。解释略。\n【答案】: AC", ["AC"], 100),
        (GaokaoMultiChoiceEvaluator(), "答案：C、A", ["AC"], 100),
        (GaokaoMultiChoiceEvaluator(), "【答案】A", ["AC"], 50),
        (GaokaoMultiChoiceEvaluator(), "【答案】ABC", ["AC"], 0),
        (GaokaoMultiChoiceEvaluator(), "没想好", ["AC"], 0),
        (GaokaoMultiQuestionChoiceEvaluator(), "所以答案是A。其余略。\n【答案】: A", ["A"], 100),
        (GaokaoMultiQuestionChoiceEvaluator(), "【答案】A C D", ["A", "C", "B"], 100 * 2 / 3),
        (
            GaokaoMultiQuestionChoiceEvaluator(),
            "1.【答案】A\n2.【答案】B\n3.【答案】无\n4.【答案】D\n5.【答案】A",
            [*"ABCDA"],
            80,
        ),
        (GaokaoFiveOutOfSevenEvaluator(), "【答案】GFEDC", ["G", "F", "E", "D", "C"], 100),
        (GaokaoFiveOutOfSevenEvaluator(), "【答案】G F E D", ["G", "F", "E", "D", "C"], 80),
    ],
)
def test_points(evaluator: Any, text: str, gold: list[str], points: float):
    assert evaluator.score([text], [gold])["score"] == pytest.approx(points)


def test_questions_count_not_rows():
    score = GaokaoMultiQuestionChoiceEvaluator().score(["【答案】A B", "【答案】C"], [["A", "B"], ["D"]])
    assert score["score"] == pytest.approx(100 * 2 / 3)
    assert [detail["correct"] for detail in score["details"]] == [True, False]
    assert score["details"][0]["rule"] == "answers-in-order"


def test_details_name_the_questions_without_an_answer():
    score = GaokaoMultiQuestionChoiceEvaluator().score(["1.【答案】A\n2.【答案】未知\n3.【答案】C"], [["A", "B", "C"]])
    [detail] = score["details"]
    assert (detail["pred"], detail["unparsed_questions"]) == (["A", None, "C"], [2])
