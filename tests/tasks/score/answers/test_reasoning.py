"""What is left of a text without its reasoning."""

import pytest

from tasks.score.answers.postprocessors import extract_non_reasoning_content
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("reason</think> 42", "42"),
        ("<think>a</think>B<think>c</think>D", "BD"),
        ("no tags", "no tags"),
        ("a</think>b</think> 7", "7"),
        ("It is 5. <think>let me check", "It is 5."),
    ],
)
def test_content(text: str, content: str) -> None:
    assert extract_non_reasoning_content(text).answer == content


@pytest.mark.parametrize("text", ["<think>x", "<think>x</think>", "x</think>  ", ""])
def test_nothing_is_left(text: str) -> None:
    assert extract_non_reasoning_content(text).status is ExtractionStatus.UNPARSED


def test_other_tags() -> None:
    text = "<reason>x</reason>y"
    assert extract_non_reasoning_content(text, think_start_token="<reason>", think_end_token="</reason>").answer == "y"


def test_masking_keeps_positions() -> None:
    text = "a<think>b</think>c"
    masked = mask_reasoning(text)
    assert len(masked) == len(text)
    assert masked.index("c") == text.rindex("c")
    assert "b" not in masked
