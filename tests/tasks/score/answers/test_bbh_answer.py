"""Answers of BIG-Bench Hard: options and short texts."""

import pytest

from tasks.score.answers.bbh import bbh_freeform_postprocess, bbh_mcq_postprocess
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("So the answer is (B).", "B"),
        ("(R)", "R"),
        ("First (A) fails. So the answer is (C).", "C"),
        ("**Answer:** (D)", "D"),
        ("Monsters, Inc", "Monsters, Inc"),
        ("So the answer is Monsters, Inc.", "Monsters, Inc"),
        ("So the answer is dearth, wind, & fire", "dearth, wind, & fire"),
    ],
)
def test_options(text: str, letter: str) -> None:
    assert bbh_mcq_postprocess(text).answer == letter


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("So the answer is (A) and (B).", ExtractionStatus.AMBIGUOUS),
        ("It is the second one", ExtractionStatus.UNPARSED),
        ("I cannot answer this.", ExtractionStatus.UNPARSED),
        ("The answer is Paris", ExtractionStatus.UNPARSED),
        ("We look at each option.\n(A) is too small.\n(B) is too big.", ExtractionStatus.UNPARSED),
        ("", ExtractionStatus.UNPARSED),
    ],
)
def test_no_option(text: str, status: ExtractionStatus) -> None:
    assert bbh_mcq_postprocess(text).status is status


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        ("So the answer is **yes**.", "Yes", "answer-is"),
        ("Let's see.\nSo the answer is ] ] >.", "] ] >", "answer-is"),
        ("The answer is\n\n'a b c'", "a b c", "answer-is"),
        ("**Answer:** No, because it is.", "No", "answer:"),
        ("If the answer is 3 we stop. The answer is $-24$.", "-24", "answer-is"),
        ("The answer is 24. I checked it.", "24", "answer-is"),
        ("the answer is no one nothing", "no one nothing", "answer-is"),
        ("the answer is invalid", "invalid", "answer-is"),
        (r"Hence \boxed{\text{valid}} is what we get.", "valid", "box"),
        ("apple pear", "apple pear", "whole-text"),
        ("True", "True", "whole-text"),
        ("We think.\nAnd think.\n\n**No**", "No", "last-line"),
        ("We think.\n\n-24", "-24", "last-line"),
        ("<think>The answer is 3</think>The answer is 4", "4", "answer-is"),
    ],
)
def test_short_texts(text: str, answer: str, rule: str) -> None:
    found = bbh_freeform_postprocess(text)
    assert (found.answer, found.rule) == (answer, rule)


@pytest.mark.parametrize(
    "text",
    ["", "We think. It is so.", "One line\nand another", "The answer is " + "x" * 500, "<think>The answer is 3", "**"],
)
def test_no_short_text(text: str) -> None:
    assert bbh_freeform_postprocess(text).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize("answer", ["Yes", "] ] >", "apple pear", "-24", "invalid", "24. May"])
def test_a_short_answer_stays_as_it_is(answer: str) -> None:
    once = bbh_freeform_postprocess(f"So the answer is {answer}.").answer
    assert bbh_freeform_postprocess(once).answer == once


@pytest.mark.parametrize(
    "text",
    ["answer is " * 100_000, "**" * 500_000, "\\boxed{" * 140_000, "* " * 500_000, "answer:" + " " * 1_000_000,
     'answer is "' * 90_000, "answer is " + "." * 1_000_000, "answer is 1" + "," * 1_000_000, "yes " * 250_000],
    ids=lambda value: value[:12],
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    bbh_mcq_postprocess(text)
    bbh_freeform_postprocess(text)
