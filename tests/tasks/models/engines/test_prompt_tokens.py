"""BOS exactly once, whoever writes it: the tokenizer, a chat template, a meta template."""

import logging
from typing import Any

import pytest
from support.fake_tokenizer import BOS, FakeTokenizer

from tasks.models.engines.interface import EngineError
from tasks.models.engines.prompt_tokens import PromptTokens
from tasks.models.interface import Request, ScoreRequest


class WithoutBos(FakeTokenizer):
    """Puts nothing in front of a text, as tokenizers with `add_bos_token=False` do."""

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return super().encode(text, add_special_tokens=False)


class LosesBos(FakeTokenizer):
    """Puts something in front of the BOS."""

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [*([1, BOS] if add_special_tokens else []), *map(ord, text)]


def tokens(tokenizer: Any = None, *, chat: bool = False) -> PromptTokens:
    return PromptTokens(tokenizer or FakeTokenizer(), chat=chat, max_seq_len=64)


@pytest.mark.parametrize("text", ["Hi", "^Hi", "^^Hi"])
def test_a_text_has_one_whether_or_not_its_template_writes_it(text: str):
    assert tokens().prompt(Request(0, text, 4)).ids == [BOS, *b"Hi"]
    span = tokens().span(ScoreRequest(0, text, " you"))
    assert [*span.given, *span.scored] == [BOS, *b"Hi you"]


@pytest.mark.parametrize("tokenizer", [FakeTokenizer(), WithoutBos()])
def test_a_chat_has_the_one_of_its_template(tokenizer: Any):
    assert bytes(tokens(tokenizer, chat=True).prompt(Request(0, "Hi", 4)).ids) == b"^[u]Hi[a]"


def test_where_the_tokenizer_puts_none_a_template_may_write_one():
    assert tokens(WithoutBos()).prompt(Request(0, "Hi", 4)).ids == [*b"Hi"]
    assert tokens(WithoutBos()).prompt(Request(0, "^Hi", 4)).ids == [BOS, *b"Hi"]


def test_the_first_prompt_is_checked_and_told(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.INFO):
        tokens().prompt(Request(0, "Hi", 4))
    assert "begins with the tokens ['^', 'H', 'i']" in caplog.text
    with pytest.raises(EngineError, match="begins with 0 BOS tokens"):
        tokens(LosesBos()).prompt(Request(0, "Hi", 4))
    with pytest.raises(EngineError, match="begins with 0 BOS tokens"):
        tokens(LosesBos()).span(ScoreRequest(0, "", "Hi"))
