"""What judges really write, and the grade in it."""

import pytest

from tasks.score.judging.verdict_text import grade_of, grades_offered


@pytest.mark.parametrize(
    ("said", "grade"),
    [
        ("A", "A"),
        ("B.", "B"),
        ("**A**", "A"),
        (" (B)\n", "B"),
        ("A: CORRECT", "A"),
        ("B: INCORRECT", "B"),
        ("CORRECT", "A"),
        ("Incorrect.", "B"),
        ("Answer: B", "B"),
        ("Final answer: **A**", "A"),
        ("Based on the reference, the candidate is correct. Final verdict: A", "A"),
        ("Because both say 12, the verdict is B", "B"),
        ("The grade: A", "A"),
        ("Judgement: [[A]]", "A"),
        ("So I choose \\boxed{B}", "B"),
        ("\\boxed{\\text{A}}", "A"),
        ("B\n\nA closer look: the candidate forgot the unit.", "B"),
        ("A: the two expressions are equal.", "A"),
        ("The candidate chose option A, the reference is C.\n\nB", "B"),
        ("The reference answer is A and so is the candidate's.\nVerdict: CORRECT", "A"),
        ("Verdict: INCORRECT", "B"),
        ("I first thought it was CORRECT, but the sign differs: INCORRECT", "B"),
        ("<think>B? B. No, it is B.</think>A", "A"),
        ("maybe B: INCORRECT</think>\n\nA: CORRECT", "A"),
        ("The choices are:\nA: CORRECT\nB: INCORRECT\n\nMy choice:\nA", "A"),
        ("判断：A", "A"),
        ("最终结论为：B", "B"),
        ("结论：不正确", "B"),
        ("答案：A", "A"),
        ("The candidate chose A: INCORRECT", "B"),
        ("Verdict: NOT CORRECT", "B"),
        ("Decision:\n\n**A**", "A"),
        ("A\n\nQuestion: another one\nAnswer to grade: Rome\nGrade: B", "A"),
        ("**B**\n\nA better answer would be: Paris. Verdict: A", "B"),
        ("CORRECT\n\nThe other graders said INCORRECT.", "A"),
    ],
)
def test_a_grade_is_read_where_it_is_named_as_such(said: str, grade: str):
    assert grade_of(said) == grade


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Sorry, I cannot judge.",
        "Based on what I see, both are plausible.",
        "A: CORRECT\nB: INCORRECT",
        "<think>The answer is A",
        "<think>A</think>",
        "It's hard to say whether A student would agree.",
        "C",
        "Alice and Bob disagree",
        "A good answer needs a unit.",
        "Verdict: A or B",
        "[[A]] or [[B]]",
        "Grade: A / B",
        "The grade is A, or perhaps B",
        "Possible verdicts: [[A]], [[B]]",
        "CORRECT or INCORRECT, I cannot tell",
        "判断：A或B",
        "A\nB",
    ],
)
def test_where_no_grade_stands_none_is_found(said: str):
    assert grade_of(said) is None


def test_c_is_a_grade_only_where_the_prompt_offers_it():
    assert grades_offered("A: CORRECT\nB: INCORRECT\nC: NOT_ATTEMPTED") == "ABC"
    assert grades_offered("Options: A: one B: two C: three. Say A for correct, B for incorrect.") == "AB"
    assert grade_of("C", "ABC") == "C"
    assert grade_of("C: NOT_ATTEMPTED", "ABC") == "C"
    assert grade_of("NOT_ATTEMPTED", "ABC") == "C"


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 300_000,
        "[" * 300_000,
        "verdict " * 40_000,
        "A: " * 100_000,
        "A: CORRECT " * 40_000,
        "answer is " * 40_000,
    ],
)
def test_endless_answers_are_read_at_once(text: str):
    assert grade_of(text) in (None, "A")
