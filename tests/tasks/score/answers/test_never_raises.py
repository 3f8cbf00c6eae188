"""Post-processors take any text: whatever a model says, they answer in the one form."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.score.interface import Extraction, ExtractionStatus
from tasks.spec.names.type_loading import import_type
from tasks.spec.names.type_table import TABLE

_OPTIONS = {
    "first_option_postprocess": {"options": "ABCD", "cushion": True},
    "last_option_postprocess": {"options": "ABCD", "cushion": True},
    "match_answer_pattern": {"answer_pattern": r"(?i)answer\s*:\s*([A-D])"},
    "think_pred_postprocess": {"re_pattern": "</think>(.*)"},
    "xml_tag_postprocessor": {"tag": "<x>"},
    "general_eval_wrapper_postprocess": {"postprocess": "first-capital"},
}
_CUSHIONED = ("first_capital", "last_capital", "multiple_select", "math_postprocess")
_PIECES = st.sampled_from(
    ["\\boxed{", "}", "{", "####", " answer is ", "Answer:", "A:", "\n", "18", "1,000", "-", "$", "A", "B", "答案是",
     "选", "<think>", "</think>", "\\frac{1}{2}", "/", "0", ".", ",", "=", "Question:", " ", "\ud800", "١", "²", "```",
     "```python\n", "<x>", "</x>", "'", "[", "]", "and", "or", "**", "\\(", "\\)", "\\text{", "(", ")", "A, B", "_2"]
)  # fmt: skip
_TEXTS = st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join))
_OF_JUDGES = ("tasks.score.judging.", "tasks.score.subjective.")
"""What is made of all that judges said, not of one text."""
_NAMES = sorted(
    {entry.ours for entry in TABLE if entry.kind == "postprocessor" and not entry.ours.startswith(_OF_JUDGES)}
)


@pytest.mark.parametrize("path", _NAMES, ids=lambda path: path.rpartition(".")[2])
@settings(max_examples=60, deadline=None)
@given(text=_TEXTS)
def test_any_text(path: str, text: str) -> None:
    name = path.rpartition(".")[2]
    options = dict(_OPTIONS.get(name, {})) | ({"cushion": True} if name.startswith(_CUSHIONED) else {})
    found = partial(import_type(path), **options)(text)
    assert isinstance(found, Extraction)
    assert (found.answer is not None) == (found.status is ExtractionStatus.FOUND)
    assert found.span is None or 0 <= found.span[0] <= found.span[1] <= len(text)
