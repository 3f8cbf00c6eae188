"""Special tokens in an answer are no text: no reader's verdict depends on them."""

import pytest

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.option import option_answer
from tasks.score.answers.postprocessors import gsm8k_postprocess
from tasks.score.answers.special_tokens import ENDING_TOKENS, SPECIAL_TOKENS
from tasks.score.answers.visible import visible, without_trailing_tokens
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize("text", ["【答案】B，C<eoa>", "The answer is B, C<|im_end|>", "The answer is B and C</s>"])
def test_a_token_behind_two_options_decides_for_none(text: str) -> None:
    assert option_answer(text, "ABCD").status is ExtractionStatus.AMBIGUOUS


def test_without_a_statement_two_options_are_none() -> None:
    assert option_answer("B and C</s>", "ABCD").answer is None
    assert option_answer("B and C", "ABCD").answer is None


@pytest.mark.parametrize("token", sorted(SPECIAL_TOKENS))
def test_any_token_behind_an_answer(token: str) -> None:
    assert option_answer(f"The answer is B{token}", "ABCD").answer == "B"
    assert gsm8k_postprocess(f"The answer is 18{token}").answer == "18"


@pytest.mark.parametrize(
    "token", ["<|im_start|>assistant\n", "<s>", "[/INST]", "<|assistant|>", "<start_of_turn>model\n"]
)
def test_any_token_before_an_answer(token: str) -> None:
    assert option_answer(f"{token}B", "ABCD").answer == "B"
    assert gsm8k_postprocess(f"{token}#### 18").answer == "18"


@pytest.mark.parametrize("token", sorted(SPECIAL_TOKENS))
def test_positions_stay_the_same(token: str) -> None:
    assert len(visible(f"a {token} b")) == len(f"a {token} b")
    assert visible(f"a {token} b").split() == ["a", "b"]


def test_what_stands_behind_the_end_of_the_turn_is_another_part() -> None:
    text = "The answer is B.<|im_end|>\n<|im_start|>user\nAnd now?<|im_end|>\n<|im_start|>assistant\nThe answer is C."
    assert option_answer(text, "ABCD").answer == "B"
    assert len(sections(visible(text))) == 3


def test_a_token_that_ends_each_of_several_answers_is_no_end_of_the_turn() -> None:
    assert len(sections(visible("【答案】A<eoa>\n【答案】C<eoa>"))) == 1


def test_of_several_channels_the_final_one_is_read() -> None:
    analysis = "<|channel|>analysis<|message|>Perhaps the answer is A.<|end|>"
    assert option_answer(f"{analysis}<|start|>assistant<|channel|>final<|message|>B<|return|>", "ABCD").answer == "B"
    assert option_answer(analysis, "ABCD").status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Paris<|im_end|>", "Paris"),
        ("Paris</s></s>", "Paris"),
        ("Paris <|eot_id|>\n", "Paris"),
        ("Paris \n", "Paris \n"),
        ("a </s> b", "a </s> b"),
        ("<b>x</b>", "<b>x</b>"),
        ("<|im_end|>", ""),
    ],
)
def test_tokens_at_the_end_go(text: str, bare: str) -> None:
    assert without_trailing_tokens(text) == bare


def test_tokens_that_end_an_answer_go_from_its_end() -> None:
    assert {without_trailing_tokens(f"x{token}") for token in ENDING_TOKENS} == {"x"}
