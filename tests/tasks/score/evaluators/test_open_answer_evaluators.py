"""Free short answers: what counts as right, and what only looks like it."""

from typing import Any

import pytest

from tasks.score.evaluators.comparison import ComparingEvaluator
from tasks.score.evaluators.open_answers import (
    DropOpenAIEvaluator,
    EMEvaluator,
    LambadaEvaluator,
    NQEvaluator,
    SquadEvaluator,
    TriviaQAEvaluator,
)


def _correct(evaluator: ComparingEvaluator, prediction: Any, reference: Any) -> bool:
    result = evaluator.score(predictions=[prediction], references=[reference])
    [detail] = result["details"]
    metric = next(value for name, value in result.items() if name in ("score", "accuracy", "exact_match"))
    assert metric == 100.0 * detail["correct"]
    return detail["correct"]


@pytest.mark.parametrize(
    ("prediction", "golds"),
    [
        ("Paris", ["Paris"]),
        ("paris.", ["Lyon", "Paris"]),
        ("the Beatles", ["Beatles"]),
        ("Paris, of course", ["Paris"]),
        ("1,000", ["1000"]),
        ("C++", ["c++"]),
        ("北京", "北京"),
        (["a", "B"], ["A", "b"]),
    ],
)
def test_exact_match(prediction: Any, golds: Any) -> None:
    assert _correct(EMEvaluator(), prediction, golds)


@pytest.mark.parametrize(
    ("prediction", "golds"),
    [
        ("3.5", ["3"]),
        ("1,234", ["1,500"]),
        ("the", ["a"]),
        ("", ["Paris"]),
        ("Paris Texas", ["Paris"]),
        (["b", "a"], ["a", "b"]),
    ],
)
def test_no_exact_match(prediction: Any, golds: Any) -> None:
    assert not _correct(EMEvaluator(), prediction, golds)


@pytest.mark.parametrize(
    ("prediction", "golds"),
    [
        ("The answer is Paris.", ["Paris"]),
        ("Let me think.\nThe answer is Paris, France.", ["paris"]),
        ("It was Neil Armstrong", ["Neil Armstrong", "Armstrong"]),
        ("<think>The answer is Rome</think>The answer is Paris", ["Paris"]),
        ("答案是北京市", ["北京"]),
        ("14 December 1972 (UTC)", ["14 December 1972"]),
    ],
)
def test_nq_and_triviaqa_find_an_accepted_answer(prediction: str, golds: list[str]) -> None:
    assert _correct(NQEvaluator(), prediction, golds)
    assert _correct(TriviaQAEvaluator(), prediction, golds)


@pytest.mark.parametrize(
    ("prediction", "golds"),
    [
        ("I do not know", ["no"]),
        ("in 2019", ["1"]),
        ("", ["Paris"]),
        ("anything at all", ["..."]),
        ("Rome\n\nQuestion: What is the capital of France?\nThe answer is Paris", ["Paris"]),
        ("<think>Paris", ["Paris"]),
    ],
)
def test_parts_of_words_and_invented_questions_do_not_count(prediction: str, golds: list[str]) -> None:
    assert not _correct(NQEvaluator(), prediction, golds)
    assert not _correct(TriviaQAEvaluator(), prediction, golds)


def test_both_read_labels() -> None:
    prediction = "I know this one.\nA: Paris"
    assert _correct(TriviaQAEvaluator(), prediction, ["Paris"])
    assert _correct(NQEvaluator(), prediction, ["Paris"])


def test_the_rule_is_told() -> None:
    predictions = ["The answer is Paris", "Paris", "Answer: Paris", ""]
    result = TriviaQAEvaluator().score(predictions=predictions, references=[["Paris"]] * 4)
    assert [detail["rule"] for detail in result["details"]] == ["answer-is", "first-line", "answer:", "unparsed"]
    assert [detail["pred"] for detail in result["details"]] == ["Paris", "Paris", "Paris", ""]


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("Think.\nAnswer: 10 yards", "10"),
        ("Answer: 1,000", "1000|one thousand"),
        ("Answer: Brady", "Tom Brady"),
        ("Answer: the New England Patriots", "Patriots|New England"),
        ("**Answer:** 7", "7"),
    ],
)
def test_drop(prediction: str, reference: str) -> None:
    assert _correct(DropOpenAIEvaluator(), prediction, reference)


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("Answer: 1", "10"),
        ("Answer: 10", "1"),
        ("", "7"),
        ("Answer:", "7"),
        ("Answer: of", "University of Ohio"),
        ("Answer: 3.5", "5"),
    ],
)
def test_drop_does_not_match_parts_of_words_and_numbers(prediction: str, reference: str) -> None:
    assert not _correct(DropOpenAIEvaluator(), prediction, reference)


def test_a_drop_text_without_a_label_is_a_guess() -> None:
    text = "They threw 3 passes.\nThen they threw 4 more.\nIn all these are 7 passes."
    [detail] = DropOpenAIEvaluator().score(predictions=[text], references=["7"])["details"]
    assert (detail["correct"], detail["rule"]) == (True, "fallback:whole-text")


def test_squad_counts_words() -> None:
    result = SquadEvaluator().score(predictions=["the red car", "blue"], references=[["red car", "car"], "green"])
    assert (result["f1"], result["exact_match"]) == (50.0, 50.0)
    partly = SquadEvaluator().score(predictions=["red car"], references=["red bus"])
    assert partly["f1"] == pytest.approx(50.0)


@pytest.mark.parametrize(
    ("prediction", "word", "correct"),
    [
        (" signs. And then", "signs", True),
        ('"don\'t" she said', "don't", True),
        ("signs, of", "signs", True),
        ("sign", "signs", False),
        ("Signs", "signs", False),
        ("the", "a", False),
        ("", "signs", False),
    ],
)
def test_lambada(prediction: str, word: str, correct: bool) -> None:
    assert _correct(LambadaEvaluator(), prediction, word) is correct


@pytest.mark.parametrize(
    "evaluator", [EMEvaluator, NQEvaluator, TriviaQAEvaluator, DropOpenAIEvaluator, SquadEvaluator]
)
@pytest.mark.parametrize("reference", ["", [], [""]])
def test_a_missing_reference_is_an_error(evaluator: type[ComparingEvaluator], reference: Any) -> None:
    with pytest.raises(ValueError, match="reference 1 is empty"):
        evaluator().score(predictions=["a", "a"], references=["a", reference])
