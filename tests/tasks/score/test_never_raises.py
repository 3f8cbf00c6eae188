"""Post-processors take any text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.score.interface import Extraction, ExtractionStatus
from tasks.score.postprocessors import (
    extract_non_reasoning_content,
    first_option_postprocess,
    gsm8k_dataset_postprocess,
    gsm8k_postprocess,
)

_PIECES = st.sampled_from(
    ["\\boxed{", "}", "{", "####", " answer is ", "Answer:", "A:", "\n", "18", "1,000", "-", "$", "A", "B", "答案是",
     "选", "<think>", "</think>", "\\frac{1}{2}", "/", "0", ".", ",", "=", "Question:", " ", "\ud800", "١", "²"]
)  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join))


@settings(max_examples=300, deadline=None)
@given(_TEXTS)
def test_any_text(text: str) -> None:
    for found in (
        gsm8k_postprocess(text),
        gsm8k_dataset_postprocess(text),
        first_option_postprocess(text, "ABCD", cushion=True),
        extract_non_reasoning_content(text),
    ):
        assert isinstance(found, Extraction)
        assert (found.answer is not None) == (found.status is ExtractionStatus.FOUND)
        assert found.span is None or 0 <= found.span[0] <= found.span[1] <= len(text)
