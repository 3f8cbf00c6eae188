"""Evaluators that compare."""

import pytest

from tasks.score.evaluators.exact import AccEvaluator, AccwithDetailsEvaluator, Gsm8kEvaluator


@pytest.mark.parametrize(
    ("prediction", "reference", "correct"),
    [
        ("18", "18", True),
        ("29.00", "29", True),
        ("1/2", "0.5", True),
        ("0.333333333333", "1/3", False),
        ("18.0000000001", "18", False),
        ("12345678901234567890", "12345678901234567891", False),
        ("", "18", False),
        ("NULL", "18", False),
        ("1e2", "100", True),
        ("9" * 5000, "9", False),
    ],
)
def test_numbers_are_compared_exactly(prediction: str, reference: str, correct: bool) -> None:
    result = Gsm8kEvaluator().score(predictions=[prediction], references=[reference])
    assert result == {
        "accuracy": 100.0 * correct,
        "details": [{"pred": prediction, "answer": reference, "correct": correct}],
    }


def test_a_reference_that_is_no_number_is_an_error() -> None:
    with pytest.raises(ValueError, match="reference 1 is not a number: 'x'"):
        Gsm8kEvaluator().score(predictions=["1", "1"], references=["1", "x"])


def test_texts_are_compared_as_text() -> None:
    assert AccEvaluator().score(predictions=["1", "B"], references=[1, "C"])["accuracy"] == 50.0


def test_details_hold_the_prompt() -> None:
    result = AccwithDetailsEvaluator().score(predictions=["A"], references=["A"], origin_prompt=["p"])
    assert result["details"] == [{"prompt": "p", "pred": "A", "refr": "A", "is_correct": True}]
