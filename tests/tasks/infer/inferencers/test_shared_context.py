"""Options begin where their texts part, at a whole word, with the blank before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.infer.inferencers.shared_context import shared_context


@pytest.mark.parametrize(
    ("texts", "context"),
    [
        (["The capital is Paris", "The capital is Rome"], "The capital is"),
        (["Answer: True", "Answer: Trump"], "Answer:"),
        (["Answer:\nA", "Answer:\nB"], "Answer:\n"),
        (["She said Yes", "She said Yes, really"], "She said"),
        (["same text", "same text"], "same"),
        (["猫在家里", "猫在外面"], "猫在"),
        (["one", "two"], ""),
        (["only one"], ""),
        ([], ""),
    ],
)
def test_where_options_begin(texts: list[str], context: str):
    start = shared_context(texts)
    assert (texts[0][:start] if texts else "") == context


@given(st.lists(st.text("ab c.", min_size=1), min_size=2, max_size=5))
def test_every_option_has_something_left_to_score(texts: list[str]):
    start = shared_context(texts)
    assert len({text[:start] for text in texts}) == 1
    assert all(text[start:] for text in texts)
