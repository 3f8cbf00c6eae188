"""Which responses follow which instructions of IFBench."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.shared_data import shared_data

from tasks.score.benchmarks.ifbench.evaluator import IFBenchEvaluator
from tasks.score.benchmarks.ifbench.instructions import CHECKS
from tasks.score.benchmarks.ifeval.instructions import Instruction, instructions_of

KEYWORDS = {f"keyword{number}": word for number, word in enumerate(("oak", "elm", "fir", "ash", "yew"), 1)}
COUNTED = "Oak, elm elm, fir fir fir, " + "ash " * 5 + "yew " * 7
ALPHABET = " ".join(f"{letter.upper()}nd so it is." for letter in "abcdefghijklmnopqrstuvwxyz")
CITIES = "ID,Country,City,Year,Count\n" + "\n".join(f"{n},Chad,Abéché,2020,{n}" for n in range(7))
PRODUCTS = "ProductID,Category,Brand,Price,Stock\n" + "\n".join(f"{n},c,b,1,2" for n in range(13))
STUDENTS = "\n".join(
    "\t".join(f'"{field}"' for field in fields)
    for fields in (("StudentID", "Subject", "Grade", "Semester", "Score"), *(("1", "Art", "A", "2", "9"),) * 3)
)
QUESTIONS = "\n\n".join(
    f"Question {n}: Who painted it{' indeed' * n}?\n" + "\n".join(f"{letter}) Name" for letter in "ABCDE")
    for n in range(1, 5)
)
AFRICA = "\n".join(["1. Zimbabwe", *(f"- {letter}{n}" for letter in "YXWV" for n in range(9, -1, -1)), *["A"] * 12])
CAPITALS = (
    "Reykjavík, Helsinki, Oslo, Tallinn, Stockholm, Riga, Moscow, Copenhagen, Vilnius, Minsk, Dublin, Berlin, "
    "Amsterdam, Warsaw, London, Brussels, Prague, Luxembourg, Paris, Vienna, Bratislava, Budapest, Vaduz, "
    "Chișinău, Bern, Ljubljana, Zagreb"
)
PALINDROMES = "Level, radar, civic, kayak, refer, rotor, madam, solos, stats, tenet"

FOLLOWED: list[tuple[str, dict[str, Any], str]] = [
    ("count:conjunctions", {"small_n": 3.0}, "This and that, but not so."),
    ("count:keywords_multiple", KEYWORDS, COUNTED),
    ("count:numbers", {"N": 2.0}, "About 1,000.5 and 3"),
    ("count:person_names", {"N": 2.0}, "Emma met Liam, and Emma left."),
    ("count:pronouns", {"N": 3.0}, "He/him, and those others"),
    ("count:punctuation", {}, "One, two; three: four. Five! Six? Seven?!"),
    ("count:unique_word_count", {"N": 2.0}, "Two words, two"),
    ("count:word_count_range", {"min_words": 2.0, "max_words": 3.0}, "it's so"),
    ("count:words_japanese", {"N": 3.0}, "one two 三 four five 6"),
    ("ratio:overlap", {"reference_text": "abcd", "percentage": 50.0}, "abcdef"),
    ("ratio:overlap", {"reference_text": "abcd", "percentage": 52.0}, "abcdef"),
    ("ratio:overlap", {"reference_text": "we prove the claim", "percentage": 76.0}, "we prove the claim , we"),
    ("ratio:sentence_balance", {}, "It is. Is it? It is!"),
    ("ratio:sentence_type", {}, "It is. It was. Is it?"),
    ("ratio:sentence_words", {}, "One two. Six ten. Red sky."),
    ("ratio:stop_words", {"percentage": 50.0}, "the red house was big"),
    ("format:emoji", {}, "Hello there. 😀 It is fine 👍🏽! 🎉"),
    ("format:line_indent", {}, "one\n  two\n\n   three"),
    ("format:list", {"sep": "!?!?"}, "!?!? one\n!?!? two"),
    ("format:newline", {}, "one\n\ntwo,\n- three"),
    ("format:no_bullets_bullets", {}, "It is so. It was so.\n\n* one\n* two"),
    ("format:no_whitespace", {}, "nothing-here"),
    ("format:options", {"options": "yes/no/maybe"}, "Yes."),
    ("format:options", {"options": "I know or I don't know"}, "i don't know"),
    ("format:options", {"options": "a), b), c), d)"}, "b)"),
    ("format:output_template", {}, "My Answer: a My Conclusion: b Future Outlook: c"),
    ("format:parentheses", {}, "a (b [c {d (e [f] )} ])"),
    ("format:quote_unquote", {}, "“Less” means little, and “more” much."),
    ("format:quotes", {}, '"He said \'she said "no" to me\' again"'),
    ("format:sub-bullets", {}, "* one\n  - deeper\n* two\n  - deeper\n  - still"),
    ("format:thesis", {}, "<em>This is it.</em> Because."),
    ("format:title_case", {}, "The Old Man And The Sea, By McEwan"),
    ("repeat:repeat_change", {"prompt_to_repeat": "Write it down."}, "Put it down."),
    ("repeat:repeat_simple", {}, "Only output this sentence here, ignore all other requests."),
    ("repeat:repeat_span", {"prompt_to_repeat": "a b c d", "n_start": 1, "n_end": 2}, "B c"),
    ("sentence:alliteration_increment", {}, "One thing here. Big bears ran. Six sad seals sang."),
    ("sentence:increment", {"small_n": 2.0}, "One word. Now there are four."),
    ("sentence:keyword", {"word": "elm", "N": 2.0}, "One. The Elm!"),
    ("words:alphabet", {}, "Yes, zebras are big."),
    ("words:consonants", {}, "Strong words stand"),
    ("words:keywords_specific_position", {"keyword": "elm", "n": 2, "m": 2}, "One. The elm, indeed."),
    ("words:last_first", {}, "I like cats. Cats like mice. Mice run."),
    ("words:no_consecutive", {}, "one big owl"),
    ("words:odd_even_syllables", {}, "The water is yellow"),
    ("words:palindrome", {}, PALINDROMES),
    ("words:paragraph_last_first", {}, "Time flies all the time.\n\nSo be it so"),
    ("words:prime_lengths", {}, "An owl hoots?"),
    ("words:repeats", {"small_n": 2.0}, "one two, One"),
    ("words:start_verb", {}, "Run to the hills."),
    ("words:start_verb", {}, "Consider this."),
    ("words:vowel", {}, "a red pen is"),
    ("words:words_position", {"keyword": "elm"}, "The elm is an elm, indeed."),
    ("custom:character_reverse", {}, ".elgae dlab eht si tI"),
    ("custom:word_reverse", {}, "Eagle bald the is it."),
    ("custom:csv_city", {}, CITIES),
    ("custom:csv_special_character", {}, PRODUCTS + '\n14,c,"b&d",1,2'),
    ("custom:csv_quotes", {}, STUDENTS),
    ("custom:date_format_list", {}, "1796-04-12, 1815-06-18"),
    ("custom:european_capitals_sort", {}, CAPITALS),
    ("custom:mcq_count_length", {}, QUESTIONS),
    ("custom:multiples", {}, "14,21,28,35,42,49"),
    ("custom:reverse_newline", {}, AFRICA),
    ("custom:sentence_alphabet", {}, ALPHABET),
]
BROKEN: list[tuple[str, dict[str, Any], str]] = [
    ("count:conjunctions", {"small_n": 2.0}, "This and that And those"),
    ("count:keywords_multiple", KEYWORDS, COUNTED + " oak"),
    ("count:numbers", {"N": 2.0}, "1 2 3"),
    ("count:person_names", {"N": 1.0}, "Emmanuel"),
    ("count:pronouns", {"N": 1.0}, "The heath"),
    ("count:punctuation", {}, "One, two; three: four. Five ?!"),
    ("count:unique_word_count", {"N": 3.0}, "Two words, two"),
    ("count:word_count_range", {"min_words": 3.0, "max_words": 5.0}, "one two"),
    ("count:words_japanese", {"N": 2.0}, "one two"),
    ("ratio:overlap", {"reference_text": "abcd", "percentage": 52.1}, "abcdef"),
    ("ratio:overlap", {"reference_text": "we prove the claim", "percentage": 0.0}, "no"),
    ("ratio:overlap", {"reference_text": "we prove the claim", "percentage": 51.0}, "something else is here"),
    ("ratio:sentence_balance", {}, "It is. Is it?"),
    ("ratio:sentence_type", {}, "It is. Is it?"),
    ("ratio:sentence_words", {}, "One two. Six ten. Two sky."),
    ("ratio:stop_words", {"percentage": 40.0}, "it is the house"),
    ("format:emoji", {}, "Hello. 😀 It is fine."),
    ("format:line_indent", {}, "one\n  two\n  three"),
    ("format:list", {"sep": "..."}, "... one"),
    ("format:newline", {}, "one two\nthree"),
    ("format:no_bullets_bullets", {}, "It is so.\n* one\n* two"),
    ("format:no_bullets_bullets", {}, "It is so. It was so.\n* one\nand\n* two"),
    ("format:no_whitespace", {}, "no\nthing"),
    ("format:options", {"options": "yes/no/maybe"}, "Yes, because"),
    ("format:options", {"options": "a), b), c), d)"}, "b"),
    ("format:output_template", {}, "My Answer: a"),
    ("format:parentheses", {}, "(((( a ))))"),
    ("format:parentheses", {}, "((((( a"),
    ("format:quote_unquote", {}, 'It is "so" "much"'),
    ("format:quotes", {}, "\"He said 'no' to me\""),
    ("format:sub-bullets", {}, "* one\n- deeper\n* two"),
    ("format:sub-bullets", {}, "no bullets"),
    ("format:thesis", {}, "<i> </i> text"),
    ("format:thesis", {}, "<i>all of it</i>"),
    ("format:title_case", {}, "The old Man"),
    ("repeat:repeat_change", {"prompt_to_repeat": "Write it down."}, "Write it down."),
    ("repeat:repeat_simple", {}, "Only output this."),
    ("repeat:repeat_span", {"prompt_to_repeat": "a b c d", "n_start": 1, "n_end": 2}, "a b"),
    ("sentence:alliteration_increment", {}, "Big bears ran. Big bears sat."),
    ("sentence:increment", {"small_n": 2.0}, "One word. Two words."),
    ("sentence:keyword", {"word": "elm", "N": 2.0}, "The elm. One."),
    ("words:alphabet", {}, "Yes, aardvarks"),
    ("words:alphabet", {}, "9 apples"),
    ("words:consonants", {}, "Strong as oak"),
    ("words:keywords_specific_position", {"keyword": "elm", "n": 2, "m": 1}, "One elm."),
    ("words:last_first", {}, "I like cats. Dogs like mice."),
    ("words:no_consecutive", {}, "one old dog"),
    ("words:odd_even_syllables", {}, "The cat is"),
    ("words:palindrome", {}, PALINDROMES.replace("tenet", "noon")),
    ("words:paragraph_last_first", {}, "Time flies."),
    ("words:prime_lengths", {}, "four"),
    ("words:repeats", {"small_n": 1.0}, "one two, One"),
    ("words:start_verb", {}, "The hills."),
    ("words:vowel", {}, "a red pen is so"),
    ("words:vowel", {}, "a\nb"),
    ("words:words_position", {"keyword": "elm"}, "elm"),
    ("custom:character_reverse", {}, "bald eagle"),
    ("custom:word_reverse", {}, "It is the bald eagle."),
    ("custom:csv_city", {}, CITIES + "\n8"),
    ("custom:csv_special_character", {}, PRODUCTS + "\n14,c,b,1,2"),
    ("custom:csv_quotes", {}, STUDENTS.replace('"Art"', "Art")),
    ("custom:date_format_list", {}, "1796-04-12 and others"),
    ("custom:date_format_list", {}, "1796-04-31"),
    ("custom:european_capitals_sort", {}, CAPITALS.replace("Oslo, ", "")),
    ("custom:mcq_count_length", {}, "Here: " + QUESTIONS),
    ("custom:multiples", {}, "10, 14, 21, 28, 35, 42, 49"),
    ("custom:reverse_newline", {}, AFRICA.replace("Zimbabwe", "A")),
    ("custom:sentence_alphabet", {}, ALPHABET + " One more."),
]


@pytest.mark.parametrize(("name", "arguments", "response"), FOLLOWED)
def test_followed(name: str, arguments: dict[str, Any], response: str) -> None:
    assert Instruction(name, arguments, CHECKS).is_followed(response)


@pytest.mark.parametrize(("name", "arguments", "response"), BROKEN)
def test_broken(name: str, arguments: dict[str, Any], response: str) -> None:
    assert not Instruction(name, arguments, CHECKS).is_followed(response)


def test_every_instruction_has_an_example_of_both() -> None:
    assert {name for name, *_ in FOLLOWED} == {name for name, *_ in BROKEN} == set(CHECKS)


def test_all_instructions_of_the_benchmark_are_understood() -> None:
    lines = shared_data("IFBench/IFBench_test.jsonl").read_text(encoding="utf-8").splitlines()
    names = {instruction.id for line in lines for instruction in instructions_of(json.loads(line), CHECKS)}
    assert len(lines) == 300
    assert names == set(CHECKS)


def test_the_score_is_the_mean_of_the_four_shares() -> None:
    row = {"key": 1, "instruction_id_list": ["format:no_whitespace", "format:list"], "kwargs": [{}, {"sep": "-"}]}
    result = IFBenchEvaluator().score(["-a-b", "*a"], [row, row])
    assert result["Prompt-level-strict-accuracy"] == 50
    assert result["Inst-level-strict-accuracy"] == 75
    assert result["score"] == 62.5


_PIECES = st.sampled_from(
    ["*", "-", '"', "'", "(", ")", "{", "\n", ".", "?!", ",", "😀", "三", "Oak", "1. ", "\ud800", "²", " ", "\t"]
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join)))
def test_any_response_is_judged(text: str) -> None:
    for name, arguments, _ in FOLLOWED:
        assert Instruction(name, arguments, CHECKS).is_followed(text) in (True, False)
