"""The answer form of MMLU-Pro."""

import pytest

from tasks.score.answers.mmlu_pro import mmlu_pro_postprocess, mmlu_pro_published_postprocess


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
        ("The answer is\n(A)", "A"),
        (r"\boxed{B}", "B"),
        ("Answer: B", "B"),
        ("so the answer is option B", "B"),
        ("The answer is\n\n(B)", "B"),
        ("### Answer\nb", "B"),
        ("It must be (A).", None),
        ("", None),
    ],
)
def test_the_first_stated_letter_counts_and_none_is_guessed(text: str, letter: str | None) -> None:
    assert mmlu_pro_postprocess(text).answer == letter


@pytest.mark.parametrize(
    ("text", "letter", "rule"),
    [
        ("So the answer is (J).", "J", "published:answer is (X)"),
        ("Answer: C or D. Answer: B", "B", "published:answer: X"),
        ("It must be A, not B.", "B", "fallback:last-letter"),
        ("The answer is Because", "B", "published:answer is (X)"),
        ("None", None, None),
    ],
)
def test_the_published_rule(text: str, letter: str | None, rule: str | None) -> None:
    found = mmlu_pro_published_postprocess(text)
    assert (found.answer, found.rule) == (letter, rule)
