"""The special tokens of model families."""

import pytest

from tasks.score.answers.special_tokens import ENDING_TOKENS, SPECIAL_TOKEN, SPECIAL_TOKENS


@pytest.mark.parametrize(
    "token",
    [
        "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|end_of_text|>", "</s>", "<s>", "<eoa>", "<eos>",
        "<end_of_turn>", "[/INST]", "<|end|>", "<|user|>", "<|assistant|>", "<｜end▁of▁sentence｜>", "<|return|>",
        "<|endofprompt|>",
    ],
)  # fmt: skip
def test_tokens_of_common_families_are_known_whole(token: str) -> None:
    assert SPECIAL_TOKEN.findall(f"a {token}b") == [token]


def test_tokens_that_end_an_answer_are_special_tokens() -> None:
    assert ENDING_TOKENS < SPECIAL_TOKENS
    assert not ENDING_TOKENS & {"<|im_start|>", "<s>", "[INST]", "<|user|>"}


@pytest.mark.parametrize("text", ["<b>", "a < b | c > d", "<|x|>", "[1]", "<stdio.h>", "List[INSTANCE]"])
def test_other_marks_are_text(text: str) -> None:
    assert not SPECIAL_TOKEN.search(text)
