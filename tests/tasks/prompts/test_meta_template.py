from typing import Any

import pytest

from tasks.prompts.interface import Dialogue, Section, Turn
from tasks.prompts.message_form import DIALOGUE_AS_IT_IS, inject, message_prompt
from tasks.prompts.meta_template import parse_meta_template
from tasks.prompts.model_prompt import parse_wording
from tasks.prompts.text_form import text_prompt
from tasks.spec.findings import UserError

META = parse_meta_template(
    {
        "begin": "[",
        "round": [
            {"role": "HUMAN", "begin": "<H>", "end": "</H>", "api_role": "HUMAN"},
            {"role": "BOT", "begin": "<B>", "end": "</B>", "generate": True, "api_role": "BOT"},
        ],
        "reserved_roles": [{"role": "SYSTEM", "begin": "<S>", "end": "</S>", "api_role": "SYSTEM"}],
        "end": "]",
    }
)


def dialogue(*turns: Turn | str, **sections: tuple[Turn | str, ...]) -> Dialogue:
    begin, end = sections.get("begin", ()), sections.get("end", ())
    return Dialogue((Section("begin", begin), Section("round", turns), Section("end", end)))


def human(prompt: str, **options: Any) -> Turn:
    return Turn("HUMAN", prompt, **options)


def bot(prompt: str, **options: Any) -> Turn:
    return Turn("BOT", prompt, **options)


def test_text_prompts_are_returned_untouched() -> None:
    assert text_prompt("x", META, True) == message_prompt("x", META, True) == "x"


def test_the_whole_round_is_worded_and_generation_stops_at_the_model() -> None:
    said = dialogue(human("1"), bot("2"), human("3"), bot("4"), begin=(Turn("SYSTEM", "s"), "loose"), end=("end",))
    assert text_prompt(said, META, False) == "[<S>s</S>loose<H>1</H><B>2</B><H>3</H><B>4</B>end]"
    assert text_prompt(said, META, True) == "[<S>s</S>loose<H>1</H><B>2</B><H>3</H><B>"


def test_a_role_left_out_says_its_default() -> None:
    assert text_prompt(dialogue(human("1"), human("2")), META, False) == "[<H>1</H><B></B><H>2</H><B></B>]"
    assert text_prompt(dialogue(human("1"), human("2")), META, True) == "[<H>1</H><B></B><H>2</H><B>"


def test_the_turns_of_the_dataset_overrule_the_texts_around_them() -> None:
    said = dialogue(human("1", begin="(", end=")"), bot("2", begin="{"))
    assert text_prompt(said, META, False) == "[(1){2</B>]"
    assert text_prompt(said, META, True) == "[(1){"


def test_examples_are_worded_to_their_end_even_when_generating() -> None:
    said = Dialogue((Section("ice", (human("1"), bot("2"))), Section("round", (human("3"), bot("4")))))
    assert text_prompt(said, META, True) == "[<H>1</H><B>2</B><H>3</H><B>"


def test_a_round_that_begins_with_the_model_is_cut_before_the_next_human_turn() -> None:
    said = dialogue(bot("hello"), human("1"), bot("2"))
    assert text_prompt(said, META, True) == "[<H></H><B>hello</B><H>1</H><B>"
    assert message_prompt(said, DIALOGUE_AS_IT_IS, True) == [
        {"role": "BOT", "prompt": "hello"},
        {"role": "HUMAN", "prompt": "1"},
    ]


def test_without_a_generating_role_everything_is_worded() -> None:
    meta = parse_meta_template({"round": [{"role": "HUMAN"}, {"role": "BOT"}], "end": "."})
    assert text_prompt(dialogue(human("1"), bot("2")), meta, True) == "12."


def test_a_fallback_role_is_used_for_an_unknown_one() -> None:
    assert text_prompt(dialogue(Turn("USER", "1", fallback_role="HUMAN"), bot("2")), META, True) == "[<H>1</H><B>"


@pytest.mark.parametrize("role", ["SYSTEM", "USER"])
def test_a_role_that_cannot_speak_in_a_round_is_named(role: str) -> None:
    with pytest.raises(UserError, match=f"no role '{role}'"):
        text_prompt(dialogue(Turn(role, "1")), META, True)


def test_without_meta_template_what_is_said_is_joined_by_line_breaks() -> None:
    said = dialogue(human("1"), bot(""), Turn("X"), bot("2"), begin=("", "loose"))
    assert text_prompt(said, None, True) == "loose\n1\n2"


def test_api_messages_carry_the_meta_texts_and_equal_roles_are_merged() -> None:
    said = dialogue(human("1"), bot("2"), begin=(human("0"), "loose"))
    assert message_prompt(said, META, True) == [
        {"role": "SYSTEM", "prompt": "["},
        {"role": "HUMAN", "prompt": "<H>0</H>\n<H>1</H>"},
    ]


def test_the_opening_of_an_api_meta_template_may_be_a_message() -> None:
    meta = parse_meta_template(
        {"begin": {"role": "SYSTEM", "api_role": "SYSTEM", "prompt": "S"}, "round": [{"role": "HUMAN"}]}
    )
    assert message_prompt(dialogue(human("1")), meta, True) == [
        {"role": "SYSTEM", "prompt": "S"},
        {"role": "HUMAN", "prompt": "1"},
    ]


def test_without_meta_template_every_turn_is_a_message() -> None:
    said = dialogue(Turn("SYSTEM", "s"), human("1"), human("2"), bot("3"), human("4"), bot("5"))
    messages = [
        {"role": "SYSTEM", "prompt": "s"},
        {"role": "HUMAN", "prompt": "1\n2"},
        {"role": "BOT", "prompt": "3"},
        {"role": "HUMAN", "prompt": "4"},
    ]
    assert message_prompt(said, DIALOGUE_AS_IT_IS, True) == messages
    assert message_prompt(said, DIALOGUE_AS_IT_IS, False) == [*messages, {"role": "BOT", "prompt": "5"}]


def messages(*roles: str) -> list[dict[str, str]]:
    return [{"role": role, "content": role[0]} for role in roles]


@pytest.mark.parametrize(
    ("injected", "prompt", "expected"),
    [
        (["system"], ["user"], ["system:s", "user:u"]),
        (["system"], ["system", "user"], ["system:ss", "user:u"]),
        (["user"], ["system", "user"], ["system:s", "user:uu"]),
        (["system", "user", "assistant"], ["user"], ["system:s", "user:uu", "assistant:a"]),
        (["assistant"], ["user", "user"], ["assistant:a", "user:u", "user:u"]),
    ],
)
def test_messages_of_the_model_are_merged_into_the_prompt(
    injected: list[str], prompt: list[str], expected: list[str]
) -> None:
    merged = inject(messages(*injected), messages(*prompt))
    assert [f"{message['role']}:{message['content']}" for message in merged] == expected


def test_a_message_is_merged_into_one_made_of_parts() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:,"}}
    [merged] = inject(messages("user"), [{"role": "user", "content": [image]}])
    assert merged["content"] == [{"type": "text", "text": "u"}, image]


def test_messages_of_the_model_join_a_dialogue_too() -> None:
    prompt = message_prompt(dialogue(human("1"), bot("2")), DIALOGUE_AS_IT_IS, True, messages("system"))
    assert prompt == [{"role": "system", "content": "s"}, {"role": "user", "content": "1"}]


def test_raw_messages_are_worded_for_a_base_model() -> None:
    raw = [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "1"}]}]
    assert text_prompt(raw, None, True) == "s\n1"
    assert text_prompt(raw, META, True) == "[<S>s</S><H>1</H><B>"


def test_a_base_model_cannot_be_shown_an_image() -> None:
    with pytest.raises(UserError, match="parts other than text"):
        text_prompt([{"role": "user", "content": [{"type": "image_url"}]}], None, True)


@pytest.mark.parametrize(
    ("form", "meta", "message"),
    [
        ("text", {"rounds": []}, "(?s)no key 'rounds'.*did you mean 'round'"),
        ("text", {"round": []}, "it has no round"),
        ("text", {"round": [{"role": "A"}], "reserved_roles": [{"role": "A"}]}, "the role 'A' stands there twice"),
        ("text", {"round": [{"role": "A", "stop": "x"}]}, "no key 'stop'"),
        ("text", {"round": [{"begin": "x"}]}, "round holds"),
        ("text", {"round": "HUMAN"}, "round is a str"),
        ("text", {"round": [{"role": "A"}], "begin": [1, 2]}, "begin is a list"),
        ("text", {"round": [{"role": "A", "end": [1]}]}, r"end is \[1\]"),
        ("text", {"round": [{"role": "A"}], "begin": {"role": "A"}}, "begin is a dict"),
        ("text", [{"role": "system", "content": "x"}], "meta_template is a list, which this model cannot use"),
        ("messages", [{"role": "SYSTEM", "content": "x"}], "item 0 has the role 'SYSTEM'"),
        ("messages", {"round": [{"role": "USER"}]}, "(?s)the role 'USER' has the api_role None.*add api_role="),
        ("messages", "x", "meta_template is a str, which this model cannot use"),
    ],
)
def test_a_wrong_meta_template_is_named(form: Any, meta: Any, message: str) -> None:
    with pytest.raises(UserError, match=message) as error:
        parse_wording(form, meta)
    assert error.value.findings[0].place.key == "meta_template"
