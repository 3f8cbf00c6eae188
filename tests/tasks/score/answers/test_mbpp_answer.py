"""Which part of an answer to MBPP is the program."""

import pytest

from tasks.score.answers.mbpp import mbpp_answer
from tasks.score.interface import ExtractionStatus

CODE = "def f(x):\n    return x"


@pytest.mark.parametrize(
    "text",
    [
        CODE,
        f"[BEGIN]\n{CODE}\n[DONE]",
        f"[BEGIN]\n'{CODE}'\n[DONE]",
        f'[BEGIN]\n"{CODE}"\n[DONE]',
        f"Sure:\n\n[BEGIN]\n{CODE}\n[DONE]\n\nTask: another\n[BEGIN]\nother\n[DONE]",
        f"{CODE}\n[DONE]\n[BEGIN]\nother\n[DONE]",
        f" '{CODE}'[DONE]",
        f"[BEGIN]\n{CODE}",
        f"[BEGIN]\n```python\n{CODE}\n```\n[DONE]",
        f"```python\n[BEGIN]\n{CODE}\n[DONE]\n```",
        f"Here it is:\n```python\n{CODE}\n```\nIt returns x.",
        f"```\n{CODE}\n```",
        f"```python\n{CODE}\n",
        f"{CODE}\n```\nIt returns x.",
        f"<think>[BEGIN]\nnot this\n[DONE]</think>[BEGIN]\n{CODE}\n[DONE]",
    ],
)
def test_program(text: str) -> None:
    found = mbpp_answer(text)
    assert found.answer is not None
    assert found.answer.strip() == CODE
    assert found.span is not None
    assert CODE in text[slice(*found.span)]


def test_a_docstring_is_no_quotation() -> None:
    text = '"""Doc."""\ndef f():\n    """Doc."""'
    assert mbpp_answer(text).answer == text


@pytest.mark.parametrize("text", ["", "[BEGIN]\n[DONE]", "[DONE]", "<think>x"])
def test_no_program(text: str) -> None:
    assert mbpp_answer(text).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize("text", ["[BEGIN]" * 150_000, "[BEGIN]'" * 120_000 + "[DONE]" * 9, "'" * 1_000_000])
def test_long_texts_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    assert mbpp_answer(text).status in ExtractionStatus
