"""Which responses follow which instructions."""

from typing import Any

import pytest

from tasks.score.benchmarks.ifeval.instructions import CHECKS, Instruction, follow, instructions_of

FOLLOWED: list[tuple[str, dict[str, Any], str]] = [
    ("keywords:existence", {"keywords": ["cat", "C++"]}, "A category in c++"),
    ("keywords:frequency", {"keyword": "flow", "frequency": 2, "relation": "at least"}, "Flow, flowers"),
    ("keywords:frequency", {"keyword": "flow", "frequency": 1, "relation": "less than"}, "none"),
    ("keywords:forbidden_words", {"forbidden_words": ["cat"]}, "a category"),
    ("keywords:letter_frequency", {"letter": "A", "let_frequency": 2, "let_relation": "at least"}, "aA"),
    ("keywords:letter_frequency", {"letter": "#", "let_frequency": 4, "let_relation": "at least"}, "####"),
    ("language:response_language", {"language": "de"}, "Das ist ein Satz, den man auf Deutsch geschrieben hat."),
    ("language:response_language", {"language": "de"}, "1 + 1 = 2"),
    ("length_constraints:number_sentences", {"num_sentences": 3, "relation": "less than"}, "Dr. Who came. He left."),
    ("length_constraints:number_sentences", {"num_sentences": 2, "relation": "at least"}, "One. Two!"),
    ("length_constraints:number_words", {"num_words": 3, "relation": "at least"}, "it's two"),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "***\none\n***\ntwo\n***"),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Firms"},
        "one\n\n'firms, and others\n\n ",
    ),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}, "[name] and [a [place]"),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, "Bye\np. s. more"),
    ("detectable_content:postscript", {"postscript_marker": "P.P.S"}, "P.P.S. more"),
    ("detectable_content:postscript", {"postscript_marker": "Note:"}, "note: more"),
    ("detectable_format:number_bullet_lists", {"num_bullets": 3}, "* one\n\n  - two\n*three\n**no**"),
    ("detectable_format:constrained_response", {}, "Well. My answer is maybe."),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 2}, "*one* and **two**"),
    ("detectable_format:multiple_sections", {"section_spliter": "Section", "num_sections": 2}, "Section 1\nSection2"),
    ("detectable_format:json_format", {}, '```json\n{"a": 12}\n```'),
    ("detectable_format:json_format", {}, "[" + "1" * 5000 + "]"),
    ("detectable_format:title", {}, "<<My day>>\nIt was fine."),
    ("combination:two_responses", {}, "one\n******\ntwo\n******"),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say it. "}, "\nsay it. It."),
    ("startend:end_checker", {"end_phrase": "Any more?"}, '"And so on. any more?" '),
    ("startend:quotation", {}, ' "all of it" '),
    ("change_case:capital_word_frequency", {"capital_frequency": 3, "capital_relation": "at least"}, "I'M in NASA"),
    ("change_case:english_capital", {}, "THIS IS WHAT THE PEOPLE OF THE TOWN SAID ABOUT THE WEATHER."),
    ("change_case:english_lowercase", {}, "this is what the people of the town said about the weather."),
    ("punctuation:no_comma", {}, "one; two"),
]
BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("keywords:existence", {"keywords": ["cat", "dog"]}, "a cat"),
    ("keywords:frequency", {"keyword": "a.c", "frequency": 1, "relation": "at least"}, "abc"),
    ("keywords:forbidden_words", {"forbidden_words": ["dog", "cat"]}, "A CAT!"),
    ("keywords:letter_frequency", {"letter": "a", "let_frequency": 2, "let_relation": "less than"}, "Aa"),
    ("language:response_language", {"language": "de"}, "This is a sentence that somebody wrote in English."),
    ("length_constraints:number_words", {"num_words": 3, "relation": "less than"}, "one, two, three"),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 2}, "one *** *** two"),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 3, "first_word": "one"},
        "one\n\none",
    ),
    (
        "length_constraints:nth_paragraph_first_word",
        {"num_paragraphs": 2, "nth_paragraph": 1, "first_word": "one"},
        "one\n\ntwo\n\nthree",
    ),
    ("detectable_content:number_placeholders", {"num_placeholders": 1}, "[across\nlines]"),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}, "PS: more"),
    ("detectable_format:number_bullet_lists", {"num_bullets": 1}, "- one\n- two"),
    ("detectable_format:constrained_response", {}, "my answer is yes"),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 1}, "* a\n* b\n** **"),
    ("detectable_format:multiple_sections", {"section_spliter": "Day", "num_sections": 2}, "Day 1\nDay two"),
    ("detectable_format:json_format", {}, 'Here it is: {"a": 1}'),
    ("detectable_format:title", {}, "<<>>\n<< >>"),
    ("combination:two_responses", {}, "same ****** same"),
    ("combination:two_responses", {}, "one ****** ****** two"),
    ("combination:repeat_prompt", {"prompt_to_repeat": "Say it."}, "Sure. Say it."),
    ("startend:end_checker", {"end_phrase": "Any more?"}, "Any more? No."),
    ("startend:quotation", {}, '"'),
    ("change_case:capital_word_frequency", {"capital_frequency": 1, "capital_relation": "less than"}, "in NASA"),
    ("change_case:english_capital", {}, "NOT All OF IT"),
    ("change_case:english_lowercase", {}, "das ist ein satz, den man auf deutsch geschrieben hat."),
    ("punctuation:no_comma", {}, "one, two"),
    ("punctuation:no_comma", {}, " \n"),
]


@pytest.mark.parametrize(("name", "arguments", "response"), FOLLOWED)
def test_followed(name: str, arguments: dict[str, Any], response: str) -> None:
    assert Instruction(name, arguments).is_followed(response)


@pytest.mark.parametrize(("name", "arguments", "response"), BROKEN)
def test_not_followed(name: str, arguments: dict[str, Any], response: str) -> None:
    assert not Instruction(name, arguments).is_followed(response)


def test_every_kind_of_instruction_is_tried() -> None:
    assert {name for name, _, _ in FOLLOWED} == set(CHECKS)
    assert len(CHECKS) == 25


@pytest.mark.parametrize(
    ("response", "strict", "loose"),
    [
        ('"quoted"', True, True),
        ('Sure, here it is:\n"quoted"', False, True),
        ('"quoted"\nI hope that helps!', False, True),
        ('Sure:\n"quoted"\nBye!', False, True),
        ('**"quoted"**', False, True),
        ('Sure.\nHere it is:\n"quoted"', False, False),
        ("", False, False),
    ],
)
def test_the_loose_judgement_forgives_a_frame_and_asterisks(response: str, strict: bool, loose: bool) -> None:
    assert follow(response, [Instruction("startend:quotation", {})]) == ([strict], [loose])


def test_arguments_that_are_null_are_left_out() -> None:
    row = {"key": 7, "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{"num_words": None}]}
    assert instructions_of(row) == [Instruction("punctuation:no_comma", {})]


@pytest.mark.parametrize(
    ("ids", "arguments", "message"),
    [
        (["keywords:none"], [{}], "prompt 7 has an unknown instruction 'keywords:none'"),
        (["keywords:existence"], [{}], "prompt 7, instruction keywords:existence: .*'keywords'"),
        (["punctuation:no_comma"], [], "prompt 7 has 1 instructions and 0 sets of arguments"),
    ],
)
def test_what_is_not_understood_is_an_error(ids: list[str], arguments: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        instructions_of({"key": 7, "instruction_id_list": ids, "kwargs": arguments})


def test_an_unknown_relation_is_an_error() -> None:
    with pytest.raises(ValueError, match="'around' is neither"):
        Instruction("length_constraints:number_words", {"num_words": 1, "relation": "around"}).is_followed("a")


@pytest.mark.parametrize(
    "text",
    ["[" * 200_000, "\n" * 200_000, "*" * 200_000, "* a\n" * 50_000, "<<" * 100_000, "p. " * 60_000,
     "Section " * 25_000, " " * 199_999 + "x", "X.) " * 5_000 + " " * 180_000, "******" * 30_000, "x. \n\n" * 40_000],
    ids=lambda value: repr(value[:12]),
)  # fmt: skip
def test_long_texts_take_linear_time(text: str) -> None:
    """A check that takes quadratic time needs many minutes for these."""
    slow = {"language:response_language", "change_case:english_capital", "change_case:english_lowercase"}
    for name, arguments, _ in FOLLOWED:
        if name not in slow:
            Instruction(name, arguments).is_followed(text)
