"""Evaluators of BIG-Bench Hard."""

import pytest

from tasks.score.benchmarks.bbh import BBHEvaluator, BBHEvaluator_mcq


@pytest.mark.parametrize(
    ("prediction", "reference", "correct"),
    [
        ("yes", "Yes", True),
        ("So the answer is **yes**.", "Yes", True),
        ("1,024", "1024", True),
        ("−24", "-24", True),
        ("] ]", "] ] >", False),
        ("24", "-24", False),
        ("", "Yes", False),
    ],
)
def test_short_texts_are_compared_in_any_case_and_as_numbers(prediction: str, reference: str, correct: bool) -> None:
    result = BBHEvaluator().score(predictions=[prediction], references=[reference])
    assert result["score"] == 100.0 * correct
    assert result["details"][0]["correct"] is correct


def test_options_are_compared_as_they_are() -> None:
    result = BBHEvaluator_mcq().score(predictions=["A", "B", ""], references=["A", "C", "B"])
    assert result["score"] == pytest.approx(100 / 3)
    assert result["details"][1] == {"pred": "B", "answer": "C", "correct": False}
