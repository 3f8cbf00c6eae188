from hypothesis import given
from hypothesis import strategies as st

from tasks.prompts.placeholders import EXAMPLES, TextTemplate

_names = st.sampled_from(["question", "answer", "A", "two words", "x"])
_pieces = st.lists(st.text("ab{} \n") | _names.map(lambda name: f"{{{name}}}"), max_size=8)


@given(pieces=_pieces, row=st.dictionaries(_names, st.text("ab{}")))
def test_every_place_holder_is_filled_once_and_all_else_stays(pieces: list[str], row: dict[str, str]) -> None:
    text = "".join(pieces)
    # replaced by characters that occur nowhere else, so that values cannot form new place-holders
    expected = text
    for number, name in enumerate(row):
        expected = expected.replace(f"{{{name}}}", chr(0xE000 + number))
    for number, value in enumerate(row.values()):
        expected = expected.replace(chr(0xE000 + number), value)
    assert TextTemplate.parse(text).fill(row, {}) == expected


def test_braces_in_data_and_in_examples_are_never_filled_again() -> None:
    template = TextTemplate.parse("</E>{question} {answer}", ice_token="</E>")
    row = {"question": "{answer}", "answer": "secret"}
    assert template.fill(row, {"answer": "", EXAMPLES: "{question}{answer}\n"}) == "{question}{answer}\n{answer} "


def test_values_are_written_as_text() -> None:
    assert TextTemplate.parse("{n} {l} {none}").fill({"n": 1.5, "l": ["a"], "none": None}, {}) == "1.5 ['a'] None"


def test_the_separator_token_is_removed() -> None:
    assert TextTemplate.parse("Q: {q}</S>A", sep_token="</S>").fill({"q": "1"}, {}) == "Q: 1A"


def test_columns_of_any_name_can_stand_in_braces() -> None:
    assert (
        TextTemplate.parse("{{a}} {0} {a.b} {a:>3} {}").fill({"a": "1", "0": "2", "a.b": "3", "a:>3": "4"}, {})
        == "{1} 2 3 4 {}"
    )
