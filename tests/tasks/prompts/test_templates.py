from typing import Any

import pytest

from tasks.prompts.interface import Dialogue, Section, Turn
from tasks.prompts.templates import PromptTemplate, RawPromptTemplate
from tasks.spec.findings import UserError

ROW = {"question": "1+1=?", "answer": "2"}
ASK = {"role": "HUMAN", "prompt": "{question}"}
REPLY = {"role": "BOT", "prompt": "{answer}"}


def test_a_dialogue_has_sections_and_keeps_what_a_turn_says_about_itself() -> None:
    template = PromptTemplate(
        {"begin": "Intro {question}", "round": [ASK | {"begin": "<", "end": ">"}], "end": [{"role": "BOT"}]}
    )
    assert template.kind == "dialogue"
    assert template.fill(ROW, {}) == Dialogue(
        (
            Section("begin", ("Intro 1+1=?",)),
            Section("round", (Turn("HUMAN", "1+1=?", "<", ">"),)),
            Section("end", (Turn("BOT"),)),
        )
    )


def test_examples_stand_where_the_token_stands() -> None:
    template = PromptTemplate({"begin": ["Intro", "</E>", "Now:"], "round": [ASK]}, ice_token="</E>")
    example = PromptTemplate({"begin": "dropped", "round": [ASK, REPLY]}).example(ROW)
    assert isinstance(example, Section) and example.name == "ice"
    filled = template.fill({"question": "?"}, {}, [example])
    assert isinstance(filled, Dialogue)
    assert [item for section in filled.sections for item in section.items] == [
        "Intro",
        Turn("HUMAN", "1+1=?"),
        Turn("BOT", "2"),
        "Now:",
        Turn("HUMAN", "?"),
    ]


def test_text_examples_may_stand_within_a_turn() -> None:
    template = PromptTemplate({"round": [{"role": "HUMAN", "prompt": "</E>{question}"}]}, ice_token="</E>")
    assert template.takes("text") and not template.takes("dialogue")
    assert template.fill(ROW, {}, "Examples.\n") == Dialogue((Section("round", (Turn("HUMAN", "Examples.\n1+1=?"),)),))


def test_an_example_of_a_template_for_both_uses_leaves_the_token_out() -> None:
    assert PromptTemplate("</E>{question} {answer}</S>", ice_token="</E>", sep_token="</S>").example(ROW) == "1+1=? 2"


def test_labels_have_a_template_each() -> None:
    template = PromptTemplate({0: "no {question}", 1: "yes {question}"})
    assert template.labels == ("0", "1")
    assert template.fill(ROW, {}, label="1") == "yes 1+1=?"
    assert template.fill(ROW, {}) == "no 1+1=?", "text is generated with the first label's"
    assert template.example(ROW, "1") == "yes 1+1=?"


def test_an_example_row_with_an_unknown_label_is_an_error() -> None:
    with pytest.raises(UserError, match="no label 'C'"):
        PromptTemplate({"A": "a", "B": "b"}).example(ROW, "C")


@pytest.mark.parametrize(
    ("template", "options", "message"),
    [
        ("Q: {question}", {"ice_token": "</E>"}, "template does not contain the ice_token '</E>'"),
        ({"A": "</E>a", "B": "b"}, {"ice_token": "</E>"}, "label 'B' does not contain the ice_token"),
        ({"rounds": [ASK]}, {}, "(?s)label 'rounds' is a list.*did you mean 'round'"),
        ({}, {}, "template is a dict of no known form"),
        (7, {}, "template is a int of no known form"),
        ({"A": "a", "B": {"round": [ASK]}}, {}, "some labels are texts, others are dialogues"),
        ({"round": "{question}"}, {}, "(?s)'round' holds a str.*list of dict"),
        ({"round": [ASK, "</E>"]}, {"ice_token": "</E>"}, "(?s)'round' holds '</E>'.*examples go into 'begin'"),
        ({"round": [{"prompt": "{question}"}]}, {}, "a turn in 'round' has no role"),
        ({"round": [{"role": "HUMAN", "promt": "x"}]}, {}, "(?s)no key 'promt'.*did you mean 'prompt'"),
        ({"round": [{"role": "HUMAN", "prompt": 1}]}, {}, "'prompt' of a turn in 'round' is 1"),
    ],
)
def test_wrong_templates_are_named(template: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        PromptTemplate(template, **options)


def test_raw_messages_are_filled_where_they_are_text() -> None:
    parts = [{"type": "text", "text": "{question}"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    template = RawPromptTemplate([{"role": "system", "content": "{question}"}, {"role": "user", "content": parts}])
    assert template.fill(ROW, {}) == [{"role": "system", "content": "1+1=?"}, {"role": "user", "content": parts}]


def test_raw_messages_can_be_left_unfilled() -> None:
    messages = [{"role": "user", "content": "{question}"}]
    assert RawPromptTemplate(messages, format_variables=False).fill(ROW, {}) == messages


def test_raw_messages_of_a_column_are_spliced_in_as_they_are() -> None:
    history = [{"role": "user", "content": "{question}"}, {"role": "assistant", "content": "Hi"}]
    template = RawPromptTemplate([{"role": "system", "content": "S"}, {"expand_column": "history"}])
    assert template.fill({"history": history}, {}) == [{"role": "system", "content": "S"}, *history]


def test_raw_examples_stand_where_the_token_stands() -> None:
    example = RawPromptTemplate(
        [{"role": "user", "content": "{question}"}, {"role": "assistant", "content": "{answer}"}]
    )
    template = RawPromptTemplate([{"role": "system", "content": "S"}, "</E>", {"role": "user", "content": "Q"}])
    assert template.takes("messages") and not example.takes("messages")
    assert [message["content"] for message in template.fill(ROW, {}, example.example(ROW))] == ["S", "1+1=?", "2", "Q"]
    assert [message["content"] for message in template.fill(ROW, {})] == ["S", "Q"]


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ("hello", "messages is a str"),
        (["<ice>"], r"messages\[0\] is '<ice>'"),
        ([{"role": "human", "content": "x"}], "role 'human'"),
        ([{"content": "x"}], "role ''"),
        ([{"role": "user", "content": 1}], r"the content of messages\[0\] is 1"),
        ([{"role": "user", "content": ["x"]}], r"the content of messages\[0\]"),
        ([{"expand_column": "x", "role": "user"}], "and nothing else"),
        ([{"expand_column": 3}], "name of a column"),
    ],
)
def test_wrong_raw_messages_are_named(messages: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        RawPromptTemplate(messages)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"histroy": []}, "(?s)no column 'history'.*did you mean 'histroy'"),
        ({"history": "text"}, "'history' holds a str"),
        ({"history": [{"role": "user"}]}, r"the content of history\[0\] is None"),
    ],
)
def test_a_column_without_messages_is_named(row: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        RawPromptTemplate([{"expand_column": "history"}]).fill(row, {})
