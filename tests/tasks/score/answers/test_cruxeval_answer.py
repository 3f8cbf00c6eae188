"""Which part of an answer to CRUXEval is the value or the call."""

import pytest

from tasks.score.answers.code_postprocessors import cruxeval_postprocess
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize(
    ("text", "answer", "rule"),
    [
        ("So it is 17.\n[ANSWER]17[/ANSWER]", "17", "answer-tag"),
        ("[ANSWER]1[/ANSWER] No: [ANSWER] f(2) [/ANSWER]", "f(2)", "answer-tag"),
        ("[ANSWER]\n```python\nassert f(1) == 2\n```\n[/ANSWER]", "assert f(1) == 2", "answer-tag"),
        ("[ANSWER]`'a'`[/ANSWER]", "'a'", "answer-tag"),
        ("[ANSWER]'a'", "'a'", "answer-tag"),
        ("<think>[ANSWER]1[/ANSWER]</think>[ANSWER]2[/ANSWER]", "2", "answer-tag"),
        ("It returns\n```python\n[1, 2]\n```", "[1, 2]", "fence"),
        ("'abc'", "'abc'", "whole-text"),
    ],
)
def test_answer(text: str, answer: str, rule: str) -> None:
    found = cruxeval_postprocess(text)
    assert (found.answer, found.rule) == (answer, rule)


@pytest.mark.parametrize("text", ["", "[ANSWER][/ANSWER]", "<think>[ANSWER]1", "[ANSWER]``[/ANSWER]"])
def test_no_answer(text: str) -> None:
    assert cruxeval_postprocess(text).status is ExtractionStatus.UNPARSED
