"""Which number a worked solution is taken to state, and by which rule."""

import pytest

from tasks.score.answers.postprocessors import gsm8k_dataset_postprocess, gsm8k_postprocess
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        (r"The final price is \boxed{8,000}", "8000", "box"),
        (r"So the total is \boxed{$9{,}500}", "9500", "box"),
        (r"So it is \boxed{9\,500}", "9500", "box"),
        ("The answer is 18. I checked this in 2 different ways.", "18", "answer-is"),
        ("The total is 72 clips, altogether.", "72", "fallback:last-number"),
        ("The two roots are 1,2", "2", "fallback:last-number"),
        ("He made a profit of $70,000.", "70000", "fallback:last-number"),
        ("He pays $29.00", "29", "fallback:last-number"),
        ("5-3=2", "2", "fallback:last-number"),
        ("it costs $1,234", "1234", "fallback:last-number"),
        (r"\boxed{1/2}", "1/2", "box"),
        (r"\boxed{\frac{1}{2}}", "1/2", "box"),
        (r"\boxed{\frac{1}{3}}", "1/3", "box"),
        (r"\boxed{\text{18 dollars}}", "18", "box"),
        (r"\boxed{\text{\textbf{18} dollars}}", "18", "box"),
        (r"\boxed{18\%}", "18", "box"),
        (r"\boxed{x = 18}", "18", "box"),
        (r"Step 1: \boxed{5}. Then we go on. So it is \boxed{18}.", "18", "box"),
        (r"Mark your solution with \boxed. #### 4", "4", "####"),
        ("The answer is 25%", "25", "answer-is"),
        ("The answer is −5", "-5", "answer-is"),
        ("The answer is -$1,200.50", "-1200.5", "answer-is"),
        ("The answer is 16 - 3 - 4 = 9 eggs", "9", "answer-is"),
        ("The answer is 3*6=<<3*6=18>>18 dollars.", "18", "answer-is"),
        ("Therefore the answer is that she makes 18 dollars.", "18", "answer-is"),
        ("The answer is 2 1/2 cups", "5/2", "answer-is"),
        ("The answer is 18... I hope the answer is clear.", "18", "answer-is"),
        ("答案是18。", "18", "答案是"),
        ("Answer: **18**", "18", "answer:"),
        ("**Final Answer:**\n\n$18$", "18", "answer:"),
        ("She works.\nA: 18", "18", "A:"),
        ("A: $18 per day", "18", "A:"),
        ("It costs $.50", "0.5", "fallback:last-number"),
        ("there are １８ now", "18", "fallback:last-number"),
        ("It is 1,234,567.890 in all", "1234567.89", "fallback:last-number"),
    ],
)
def test_states(text: str, answer: str, rule: str) -> None:
    found = gsm8k_postprocess(text)
    assert (found.answer, found.rule) == (answer, rule)
    assert found.span is not None


def test_the_last_hashes_outside_reasoning_count() -> None:
    assert gsm8k_postprocess("#### 5 as in the example\n<think>#### 7</think>\n#### 6").answer == "6"


def test_a_heading_is_no_answer() -> None:
    assert gsm8k_postprocess("#### 1. Add them\n3 + 4\n#### 2. Result\nThe answer is 7").answer == "7"


def test_the_answer_line_may_begin_a_solution() -> None:
    """`Answer: She sells 3 …` opens a solution; its first number is not the answer."""
    found = gsm8k_postprocess("Answer: She sells 3 of 16 eggs.\nThat leaves 13.")
    assert (found.answer, found.rule) == ("13", "fallback:last-number")


def test_different_boxes_in_one_sentence_contradict() -> None:
    found = gsm8k_postprocess(r"The values are \boxed{3}, \boxed{5} and \boxed{7}.")
    assert (found.answer, found.status) == (None, ExtractionStatus.AMBIGUOUS)


def test_one_box_with_several_numbers_contradicts() -> None:
    assert gsm8k_postprocess(r"\boxed{3, 5}").status is ExtractionStatus.AMBIGUOUS


@pytest.mark.parametrize(
    "text", ["", "I cannot tell.", r"Mark your solution with \boxed", r"\boxed{}", ",", "<think>It is 7"]
)
def test_unparsed(text: str) -> None:
    assert gsm8k_postprocess(text).status is ExtractionStatus.UNPARSED


def test_a_question_of_the_models_own_is_cut() -> None:
    text = "16-3=13. The answer is 13.\n\nQuestion: What is 2+2?\nAnswer: The answer is 4."
    assert gsm8k_postprocess(text).answer == "13"


def test_a_repeated_question_is_not_cut() -> None:
    text = "Question: How many of the 16 eggs are left?\nAnswer: 16-3=13. The answer is 13."
    assert gsm8k_postprocess(text).answer == "13"


def test_the_word_question_inside_a_sentence_is_no_cut() -> None:
    assert gsm8k_postprocess("To the Question: we see 3 things. The answer is 5.").answer == "5"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("\\boxed{" * 140_000, None),
        ("\\boxed{" + "{" * 1_000_000, None),
        ("\\boxed{}" * 125_000, None),
        ("\\boxed{5} " * 100_000, "5"),
        ("\\boxed{" + "\\text{" * 160_000 + "}" * 160_001, None),
        ("1" * 1_000_000, None),
        ("1,000" + ",000" * 250_000 + "0", "0"),
        ("answer is " * 100_000, None),
        ("answer to " * 100_000, None),
        ("#### " * 200_000, None),
        ("Q:x\n" * 250_000, None),
        ("<think>" * 140_000, None),
        ("1." * 500_000, None),
        ("-$" * 500_000, None),
        (" " * 1_000_000, None),
        ("_" * 1_000_000, None),
    ],
    ids=lambda value: str(value)[:12],
)
def test_long_texts_take_linear_time(text: str, answer: str | None) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    assert gsm8k_postprocess(text).answer == answer


@pytest.mark.parametrize(
    ("reference", "number"),
    [("She has 3.\n#### 1,234", "1234"), ("#### -10", "-10"), ("7.50", "7.5"), ("$18", "18")],
)
def test_reference(reference: str, number: str) -> None:
    assert gsm8k_dataset_postprocess(reference).answer == number


@pytest.mark.parametrize("reference", ["", "#### ", "no number", "#### eighteen", "3 or 4"])
def test_a_reference_without_a_number_is_unparsed(reference: str) -> None:
    assert gsm8k_dataset_postprocess(reference).status is ExtractionStatus.UNPARSED
