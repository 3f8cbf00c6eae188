"""Reasoning, stop strings, statuses, and fitting a request into the context."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.models.http.answer_status import Choice, Ending, completion_of, cut_at_stop
from tasks.models.interface import Request, Usage
from tasks.models.length_policy import CutMode, TooLong, cut_prompt, fit, token_gap
from tasks.models.reasoning_text import split_reasoning
from tasks.models.services.openai_names import is_openai_reasoning_model
from tasks.models.token_count import Estimate
from tasks.spec.status import Status

COUNT = Estimate()


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("The answer is 4.", "The answer is 4.", None),
        ("<think>2+2</think>\n\n4", "4", "2+2"),
        ("2+2 is easy</think>4", "4", "2+2 is easy"),
        ("<think>a</think><think>b</think>4", "4", "a\nb"),
        ("<think>\n\n</think>\n\n4", "4", None),
        ("Use the tag <think> in HTML", "Use the tag <think> in HTML", None),
        ("<think>a</think>Say </think> twice", "Say </think> twice", "a"),
    ],
)
def test_reasoning_is_kept_apart(text: str, answer: str, reasoning: str | None) -> None:
    assert split_reasoning(text, "</think>") == (answer, reasoning, True)


def test_reasoning_that_never_ends_leaves_no_answer() -> None:
    assert split_reasoning("<think>on and on", "</think>") == ("", "on and on", False)
    assert split_reasoning("<reason>x", "</reason>") == ("", "x", False)


@pytest.mark.parametrize(
    ("text", "ending", "status", "kept"),
    [
        ("4", "whole", Status.OK, "4"),
        ("  ", "whole", Status.EMPTY, "  "),
        ("", "whole", Status.EMPTY, ""),
        ("fou", "length", Status.TRUNCATED, "fou"),
        ("", "length", Status.TRUNCATED, ""),
        ("<think>mm", "whole", Status.TRUNCATED, ""),
        ("4\nQuestion: more", "length", Status.OK, "4\n"),
        ("no", "refused", Status.REFUSED, "no"),
        ("part", "filtered", Status.FILTERED, "part"),
    ],
)
def test_status_of_an_answer(text: str, ending: Ending, status: Status, kept: str) -> None:
    completion = completion_of([Choice(text, ending, "raw")], Usage(), ["Question:"], "</think>")
    assert (completion.status, completion.texts, completion.finish_reason) == (status, (kept,), "raw")


def test_several_answers_have_the_gravest_status_of_those_with_a_text() -> None:
    choices = [Choice("4", "whole", "stop"), Choice("", "whole", "stop"), Choice("fo", "length", "length")]
    completion = completion_of(choices, Usage(), (), "</think>")
    assert completion.status is Status.TRUNCATED
    assert completion.texts == ("4", "", "fo")
    assert completion_of([choices[1]] * 2, Usage(), (), "</think>").status is Status.EMPTY


def test_the_first_stop_string_counts() -> None:
    assert cut_at_stop("a\n\nb###c", ["###", "\n\n", ""]) == "a"
    assert cut_at_stop("abc", []) == "abc"


@pytest.mark.parametrize(
    "name", ["o1", "o3-mini", "openai/o4-mini", "gpt-5", "gpt-5-nano", "gpt-5.1", "o1-2024-12-17", "ft:o3-mini:me"]
)
def test_openai_reasoning_models(name: str) -> None:
    assert is_openai_reasoning_model(name)


@pytest.mark.parametrize(
    "name", ["gpt-4o", "gpt-4.1", "my-o1-clone", "foo3", "gpt-50", "mo1", "yolo3-x", "gpt-6-astra", "o10"]
)
def test_names_that_only_look_like_openai_reasoning_models(name: str) -> None:
    assert not is_openai_reasoning_model(name)


def test_output_limit_shrinks_to_what_the_prompt_leaves() -> None:
    fitted = fit(Request(0, "word " * 100, max_out_len=1000), COUNT, 1000, "none")
    assert fitted.request.max_out_len == 800
    assert fitted.prompt_tokens == 100
    assert fitted.note is None


def test_a_much_smaller_output_limit_is_noted() -> None:
    fitted = fit(Request(0, "word " * 900, max_out_len=1000), COUNT, 1000, "none")
    assert fitted.request.max_out_len == 50
    assert fitted.note == "output limit cut from 1000 to 50 tokens"


def test_prompt_as_long_as_the_context_is_too_long() -> None:
    with pytest.raises(TooLong, match="about 1000 tokens, the model takes 1000"):
        fit(Request(0, "word " * 1000, max_out_len=10), COUNT, 1000, "none")
    assert fit(Request(0, "word " * 999), COUNT, 1000, "none").request.max_out_len is None


@pytest.mark.parametrize(("mode", "kept"), [("front", "c d e "), ("rear", "a b c "), ("mid", "a b e ")])
def test_messages_are_cut_by_words(mode: CutMode, kept: str) -> None:
    prompt = [{"role": "HUMAN", "prompt": "a b c d e "}, {"role": "BOT", "prompt": "x"}]
    cut, _ = cut_prompt(prompt, COUNT, 4, mode)
    assert cut == [{"role": "HUMAN", "prompt": kept}, {"role": "BOT", "prompt": "x"}]


def test_content_parts_are_not_cut() -> None:
    prompt = [{"role": "user", "content": [{"type": "text", "text": "a b c d"}]}]
    assert cut_prompt(prompt, COUNT, 1, "rear") == (prompt, 0)


def _dialogue(shots: int, question: str) -> list[dict[str, str]]:
    examples: list[dict[str, str]] = []
    for number in range(shots):
        examples.append({"role": "HUMAN", "prompt": f"q {number} " + "w " * 90})
        examples.append({"role": "BOT", "prompt": f"a {number}"})
    return [{"role": "SYSTEM", "prompt": "be brief"}, *examples, {"role": "HUMAN", "prompt": question}]


@pytest.mark.parametrize("mode", ["front", "mid", "rear"])
def test_a_dialogue_loses_its_oldest_examples_before_a_part_of_the_question(mode: CutMode) -> None:
    fitted = fit(Request(0, _dialogue(16, "what now"), max_out_len=20), COUNT, 400, mode)
    kept = fitted.request.prompt
    assert isinstance(kept, list)
    assert kept[0] == {"role": "SYSTEM", "prompt": "be brief"} and kept[-1] == {"role": "HUMAN", "prompt": "what now"}
    assert [message["role"] for message in kept[1:-1]] == ["HUMAN", "BOT"] * 2
    assert kept[-2] == {"role": "BOT", "prompt": "a 15"} and COUNT(kept) <= 280
    assert fitted.note and fitted.note.endswith(f"({mode}); in-context examples left out: 14")


@pytest.mark.parametrize(("mode", "start", "end"), [("front", "b", "c"), ("mid", "a", "c"), ("rear", "a", "b")])
def test_a_question_that_is_too_long_by_itself_is_cut_where_the_mode_says(mode: CutMode, start: str, end: str) -> None:
    question = "a " * 300 + "b " * 300 + "c " * 300
    kept = fit(Request(0, _dialogue(2, question)), COUNT, 500, mode).request.prompt
    assert isinstance(kept, list) and len(kept) == 2
    assert kept[0] == {"role": "SYSTEM", "prompt": "be brief"}
    assert COUNT(kept) == 400 and kept[1]["prompt"].startswith(start) and kept[1]["prompt"].strip().endswith(end)


def test_an_instruction_that_the_user_gives_is_no_example() -> None:
    instruction = {"role": "HUMAN", "prompt": "be brief"}
    cut, dropped = cut_prompt([instruction, *_dialogue(2, "what now")[1:]], COUNT, 6, "rear")
    assert dropped == 2 and cut == [instruction, {"role": "HUMAN", "prompt": "what now"}]


def test_a_cut_prompt_is_noted() -> None:
    fitted = fit(Request(0, "word " * 5000, max_out_len=100), COUNT, 1000, "mid")
    assert fitted.note == "prompt cut from 5000 to 800 tokens (mid)"
    assert fitted.request.max_out_len == 100


@given(st.text(alphabet="ab 汉字\n", max_size=80), st.integers(0, 12), st.sampled_from(["front", "mid", "rear"]))
def test_a_cut_text_keeps_the_limit_and_nothing_new(text: str, limit: int, mode: CutMode) -> None:
    cut, _ = cut_prompt(text, COUNT, limit, mode)
    assert isinstance(cut, str)
    assert COUNT(cut) <= limit or COUNT(text) == 0
    if COUNT(text) <= limit:
        assert cut == text
    if mode == "front":
        assert text.endswith(cut)
    if mode == "rear":
        assert text.startswith(cut)


@pytest.mark.parametrize(("counted", "reported", "exact", "told"), [
    (1000, 600, True, True), (1000, 800, True, False), (1000, 1300, True, False),
    (1000, 600, False, False), (1000, 400, False, True), (None, 5, True, False), (1000, None, True, False),
])  # fmt: skip
def test_silently_cut_prompts_are_told(counted: int | None, reported: int | None, exact: bool, told: bool) -> None:
    assert (token_gap(counted, reported, exact) is not None) is told
