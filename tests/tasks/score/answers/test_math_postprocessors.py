"""Which mathematical answer a text states, and in which form."""

import pytest

from tasks.score.answers.math_postprocessors import math_postprocess, math_postprocess_v2, normalize_final_answer
from tasks.score.interface import Extraction, ExtractionStatus


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        (r"Thus \[ \boxed{\frac{1}{2}} \]", r"\frac{1}{2}", "box"),
        (r"\boxed{\text{Sunday}}", "Sunday", "box"),
        (r"\boxed{\mbox{E}}", "E", "box"),
        (r"x=\boxed{{\frac{1}{2}}}.", r"\frac{1}{2}", "box"),
        (r"The final answer is: $\boxed{42}$", "42", "box"),
        (r"The values are \boxed{3}, \boxed{5} and \boxed{7}.", "3,5,7", "box"),
        (r"First \boxed{3}. That was a step. Then \boxed{5}.", "5", "box"),
        (r"Put it into \boxed{answer}. So \boxed{5}", "5", "box"),
        (r"<think>\boxed{3}</think>\boxed{4}", "4", "box"),
        (r"So it is $\boxed 5$.", "5", "box"),
        (r"\fbox{7}", "7", "box"),
        ("**Answer:** 4.", "4", "answer:"),
        (r"So. The answer is $\frac12$. Ok", r"\frac{1}{2}", "answer-is"),
        ("The final answer is $12$. I hope it is correct.", "12", "answer-is"),
        ("**Final Answer:**\n\n$$\n\\frac{3}{4}\n$$", r"\frac{3}{4}", "answer:"),
        (r"The answer is \(\frac{a}{b}\).", r"\frac{a}{b}", "answer-is"),
        ("The answer is 3.14.", "3.14", "answer-is"),
        ("The answer to the problem is therefore 18 dollars.", "18", "answer-is"),
        ("The answer is $2$. Wait. The answer is $3$.", "3", "answer-is"),
        ("答案是：18。", "18", "答案是"),
        (r"The final answer is $\$40$.", "40", "answer-is"),
        ("The answer is (c) 18", "18", "answer-is"),
        (r"The answer is (d) $\theta^{-2}$", r"\theta^{-2}", "answer-is"),
        ("The answer is (A) and (B)", "(A)and(B)", "answer-is"),
        ("The final answer is $90\\text{ square\nunits}$.", "90", "answer-is"),
        ("#### 42", "42", "last ####"),
        ("42", "42", "whole-text"),
        ("$x = 5$", "x=5", "whole-text"),
    ],
)
def test_states(text: str, answer: str, rule: str) -> None:
    found = math_postprocess_v2(text)
    assert (found.answer, found.rule) == (answer, rule)
    assert found.span is not None


@pytest.mark.parametrize(
    "text",
    [r"Mark your solution with \boxed", "We get 3.5 apples", "So $x = 5$ and then $y=3$ as well", r"\boxed{\frac{1}{2}",
     "Answer: The quick brown fox jumps over it", r"<think>\boxed{3}", "", r"\boxed{}"],
)  # fmt: skip
def test_never_guesses(text: str) -> None:
    assert math_postprocess_v2(text).status is ExtractionStatus.UNPARSED
    assert math_postprocess(text).status is ExtractionStatus.UNPARSED


def test_guesses_on_demand_and_says_so() -> None:
    found = math_postprocess_v2("So $x = 5$ and then $y=3$ as well", cushion=True)
    assert (found.answer, found.rule) == ("y=3", "fallback:last-formula")


def test_the_older_one_prefers_what_is_announced() -> None:
    text = r"The final answer is $2$. \boxed{3} is something else."
    assert math_postprocess(text).answer == "2"
    assert math_postprocess_v2(text).answer == "3"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("The final answer is $12$", "12"),
        (r"\text{(A)}", "A"),
        (r"10^\circ", "10"),
        ("1,234", "1234"),
        (r"9{,}500", "9500"),
        (r"9\,500", "9500"),
        ("(1,234)", "(1,234)"),
        ("100, 200", "100,200"),
        ("12 square cm", "12"),
        (r"3\sqrt{13}\text{ units}", r"3\sqrt{13}"),
        (r"50\%", "50"),
        (r"\$70,000", "70000"),
        ("2 1/2", r"2\frac{1}{2}"),
        (r"\left( 1, \dfrac12 \right)", r"(1,\frac{1}{2})"),
        (r"x \leq \sqrt2", r"x\le\sqrt{2}"),
        (r"0.\overline{3}", r"0.\overline{3}"),
        (r"\pi r^2", r"\pi r^2"),
    ],
)
def test_one_form(text: str, form: str) -> None:
    assert normalize_final_answer(text).answer == form


@pytest.mark.parametrize(
    "text",
    ["\\boxed{" * 140_000, "\\boxed{}" * 125_000, "\\boxed " * 140_000, "answer is " * 100_000, "$a" * 500_000,
     "\\(" * 500_000, "\\[" * 500_000, "answer: $" * 111_000, "answer is $x$ and " * 55_000, " " * 1_000_000,
     "answer of " * 100_000, "\\boxed{a} and " * 71_000, "{" * 1_000_000, "$" * 1_000_000],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    for found in (math_postprocess(text, cushion=True), math_postprocess_v2(text), normalize_final_answer(text)):
        assert isinstance(found, Extraction)
