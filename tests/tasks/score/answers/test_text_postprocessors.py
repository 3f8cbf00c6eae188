"""What the post-processors for texts find, and that they do not guess."""

from typing import Any

import pytest

from tasks.score.answers.text_postprocessors import (
    first_capital_postprocess,
    first_capital_postprocess_multi,
    first_number_postprocess,
    general_cn_postprocess,
    general_eval_wrapper_postprocess,
    general_postprocess,
    last_capital_postprocess,
    last_option_postprocess,
    match_answer_pattern,
    multiple_select_postprocess,
    think_pred_postprocess,
    xml_tag_postprocessor,
)
from tasks.score.interface import Extraction, ExtractionStatus

_ANSWER = r"(?i)ANSWER\s*:\s*([A-D])"
_UNPARSED = ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    ("text", "answer"),
    [("The quick brown fox, jumps", "quick brown fox"), ("An apple-pie!", "applepie"), ("3.14 is pi", "3")],
)
def test_general(text: str, answer: str) -> None:
    assert general_postprocess(text).answer == answer


def test_general_cn_cuts_into_words() -> None:
    assert general_cn_postprocess("我来到北京清华大学, 3.5%").answer == "我 来到 北京 清华大学 , 3.5 %"


@pytest.mark.parametrize(
    ("text", "letter"),
    [("C", "C"), ("C. because", "C"), ("Answer: **D**", "D"), ("The answer is (E)", "E"), ("答案是C。", "C")],
)
def test_the_first_and_the_last_capital_are_the_stated_letter(text: str, letter: str) -> None:
    assert first_capital_postprocess(text).answer == letter
    assert last_capital_postprocess(text).answer == letter


@pytest.mark.parametrize("text", ["Beijing", "I think B", "Answer: Let's think", "abCDef", "", "<think>A"])
def test_a_capital_is_not_guessed(text: str) -> None:
    assert first_capital_postprocess(text).status is _UNPARSED
    assert last_capital_postprocess(text).status is _UNPARSED


def test_a_capital_is_guessed_on_demand_and_named_a_guess() -> None:
    found = first_capital_postprocess("abCDef", cushion=True), last_capital_postprocess("abCDef", cushion=True)
    assert [(item.answer, item.rule) for item in found] == [("C", "fallback:capital"), ("D", "fallback:capital")]


def test_of_two_statements_the_last_capital_is_the_last() -> None:
    text = "The answer is A, since it rains. The answer is C, since it snows.\nI cannot tell."
    assert first_capital_postprocess(text).status is ExtractionStatus.AMBIGUOUS
    assert last_capital_postprocess(text).answer == "C"


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("ABD", "ABD"),
        ("DA", "DA"),
        ("答案：A、C", "AC"),
        ("The answers are A, B and D.", "ABD"),
        ("(A)(C)", "AC"),
        ("**A, C**", "AC"),
        ("The correct options are: A, C", "AC"),
        ("选ABD", "ABD"),
        ("故选：BC.", "BC"),
        (r"\boxed{A, C}", "AC"),
        ("A, B, C and D all fail at first sight. Answer: BD", "BD"),
        ("ACD\n解析：因为它们都对", "ACD"),
    ],
)
def test_several_options(text: str, letters: str) -> None:
    assert first_capital_postprocess_multi(text).answer == letters
    assert multiple_select_postprocess(text).answer == "".join(sorted(letters))


@pytest.mark.parametrize("text", ["xBCz", "bA D C", "A person who", "Answer: A person", "", "<think>ABC"])
def test_several_options_are_not_guessed(text: str) -> None:
    assert first_capital_postprocess_multi(text).status is _UNPARSED
    assert multiple_select_postprocess(text).status is _UNPARSED


def test_several_options_are_guessed_on_demand() -> None:
    found = first_capital_postprocess_multi("xBCz", cushion=True)
    assert (found.answer, found.rule) == ("BC", "fallback:first-run")
    assert multiple_select_postprocess("bA D C", cushion=True).answer == "ACD"


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("A, no B", "B"),
        ("The answer is B. Note that A is a trap.", "B"),
        ("The answer is A. The answer is B.\nHm.", "B"),
    ],
)
def test_last_option(text: str, letter: str) -> None:
    assert last_option_postprocess(text, "ABCD").answer == letter


def test_the_last_option_is_not_guessed() -> None:
    assert last_option_postprocess("I like A", "ABCD").status is _UNPARSED
    assert last_option_postprocess("I like A", options="ABCD", cushion=True).rule == "fallback:last-option"


@pytest.mark.parametrize(
    ("text", "number"),
    [("-42 is here", -42.0), ("it costs $1,234 or 5", 1234.0), ("−5 °C", -5.0), (".5", 0.5), ("1/2 cup", 0.5)],
)
def test_first_number(text: str, number: float) -> None:
    assert first_number_postprocess(text).answer == number


@pytest.mark.parametrize("text", ["none", "", "<think>3", "9" * 5000])
def test_no_first_number(text: str) -> None:
    assert first_number_postprocess(text).status is _UNPARSED


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("ANSWER: $B$", "B"),
        ("ANSWER: **B**", "B"),
        ("**ANSWER: B**", "B"),
        ("**Answer:** B", "B"),
        ("Answer: (B)", "B"),
        ("ANSWER: Ｂ", "B"),
        (r"ANSWER: \boxed{B}", "B"),
        ("Answer: Because of X, the result follows.\nANSWER: D", "D"),
        ("ANSWER: A\nWait.\nANSWER: C", "C"),
        ("ANSWER: **A**\nWait.\nANSWER: C", "C"),
        ("ANSWER: A\nWait.\nANSWER: **C**", "C"),
        ("<think>ANSWER: A</think>ANSWER: B", "B"),
        ("ANSWER: D\n\nQuestion: And now?\nANSWER: A", "D"),
    ],
)
def test_answer_pattern(text: str, letter: str) -> None:
    found = match_answer_pattern(text, _ANSWER)
    assert found.answer == letter
    assert found.span is not None


@pytest.mark.parametrize(
    "text", ["ANSWER: [LETTER]", "Answer: Because", "Answer: A person", "<think>ANSWER: A", "Antwort: C", ""]
)
def test_answer_pattern_finds_nothing(text: str) -> None:
    assert match_answer_pattern(text, _ANSWER).status is _UNPARSED


def test_a_pattern_without_a_group_gives_its_whole_match() -> None:
    assert match_answer_pattern("It is 42 or 43", r"\d+").answer == "43"


def test_a_broken_pattern_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match=r"the pattern '\(' cannot be read: missing \)"):
        match_answer_pattern("x", "(")


@pytest.mark.parametrize(
    ("text", "answer"),
    [("reason</think> 42", "42"), ("42", "42"), ("<think>a</think> 42", "42"), ("<think>a", None)],
)
def test_think_pred(text: str, answer: str | None) -> None:
    assert think_pred_postprocess(text, r"(?s)</think>(.*)").answer == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<x>a</x> and <x> b </x>", "b"),
        ("<think><x>a</x></think><x>b</x>", "b"),
        ("<x>a</x> and <x>b", "a"),
        ("<x>a", None),
        ("a</x>", None),
        ("<x></x>", None),
    ],
)
def test_xml_tag(text: str, answer: str | None) -> None:
    assert xml_tag_postprocessor(text, tag="<x>").answer == answer
    assert xml_tag_postprocessor(text, tag="x").answer == answer


@pytest.mark.parametrize(
    ("text", "options", "answer"),
    [
        ("'B. because'", {"postprocess": "first-capital"}, "B"),
        ("'The answer is B'", {"postprocess": "first-option", "options": "ABCD"}, "B"),
        ("The answer is B", {"postprocess": {"type": "first-option", "options": "ABCD"}}, "B"),
        ("'7'", {}, "7"),
        ("[1,2]", {}, "[1, 2]"),
    ],
)
def test_a_literal_is_unwrapped(text: str, options: dict[str, Any], answer: str) -> None:
    assert general_eval_wrapper_postprocess(text, **options).answer == answer


@pytest.mark.parametrize("text", ["__import__('os').abort()", "1 + 1", "(" * 9_000, "-" * 9_000 + "1", "f'{1}'"])
def test_what_a_model_says_is_never_executed(text: str) -> None:
    assert general_eval_wrapper_postprocess(text).answer == text


_LONG = (
    "A" * 1_000_000, "a " * 500_000, "答案:" + " " * 1_000_000, "A, " * 333_000, "answer is A and " * 62_500,
    "(A" * 500_000, "\n" * 1_000_000, "**" * 500_000, "<x>" * 333_000, "</x>" * 250_000, "选A、" * 250_000,
    "answer: " * 125_000, "<think>" * 140_000, "\\boxed{A" * 125_000, "$A$" * 333_000,
)  # fmt: skip


@pytest.mark.parametrize("text", _LONG, ids=lambda text: repr(text[:8]))
def test_long_texts_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these, a pattern of the user's as well."""
    for found in (
        general_postprocess(text),
        first_capital_postprocess(text, cushion=True),
        multiple_select_postprocess(text),
        last_option_postprocess(text, "ABCD"),
        first_number_postprocess(text),
        match_answer_pattern(text, r"答案\s*:\s*[\W]*([A-D])[\W]*"),
        think_pred_postprocess(text, r"</think>(.*)"),
        xml_tag_postprocessor(text, "<x>"),
        general_eval_wrapper_postprocess(text),
    ):
        assert isinstance(found, Extraction)
