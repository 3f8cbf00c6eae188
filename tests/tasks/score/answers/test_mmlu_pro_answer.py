"""The answer form of MMLU-Pro."""

import pytest

from tasks.score.answers.mmlu_pro import mmlu_pro_postprocess


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("So the answer is (J).", "J"),
        ("The answer is B.", "B"),
        ("The answer is: **(C)**", "C"),
        ("The answer is (A).\n\nQuestion: and now?\nThe answer is (C).", "A"),
        ("<think>the answer is (A)</think> The answer is (B).", "B"),
        ("The answer is (K).", None),
        ("The answer is Because", None),
        ("The answer is\n(A)", None),
        ("It must be (A).", None),
        ("", None),
    ],
)
def test_the_first_stated_letter_counts_and_none_is_guessed(text: str, letter: str | None) -> None:
    assert mmlu_pro_postprocess(text).answer == letter
