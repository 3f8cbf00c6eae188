"""Whatever a judge says, its verdict is one of the scale or missing; metrics count every record."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import TEXTS, tries

from tasks.score.judging.grades import generic_llmjudge_academic_postprocess, generic_llmjudge_postprocess
from tasks.score.judging.verdict_text import grade_of, grades_offered
from tasks.score.subjective import postprocessors
from tasks.score.subjective.postprocessors import VerdictPostprocessor

PIECES = st.sampled_from(
    ["[[", "]]", "A", "B", "C", "m", "M", "T", "A>>B", "B>A", "A=B", "7", "7.5", "11", "0", "-1", "Rating: ", "\ud800",
     "Verdict: ", "<think>", "</think>", "\n", " ", "**", "CORRECT", "INCORRECT", "NOT_ATTEMPTED", "评分", "：", "}",
     "\\boxed{"]
)  # fmt: skip
WORDS = TEXTS | st.lists(PIECES, max_size=12).map("".join)
SAID = st.none() | WORDS
SCALES = [value for value in vars(postprocessors).values() if isinstance(value, VerdictPostprocessor)]


def record(number: int, said: str | None) -> dict[str, Any]:
    gold = {"sample": number, "turn": 1, "capability": "x", "answer1": "a", "answer2": "b", "model": "a"}
    prompt = "A: CORRECT\nB: INCORRECT" + "\nC: NOT_ATTEMPTED" * (number % 2)
    return {"origin_prompt": [{"role": "HUMAN", "prompt": prompt}], "prediction": said, "gold": gold}


@pytest.mark.parametrize("postprocess", [generic_llmjudge_postprocess, generic_llmjudge_academic_postprocess])
@tries(100)
@given(said=st.lists(SAID, max_size=6))
def test_grades(postprocess: Any, said: list[str | None]) -> None:
    result = postprocess({str(number): record(number, text) for number, text in enumerate(said)})
    names = ("correct_count", "incorrect_count", "not_attempted_count", "invalid_count", "error_count")
    assert sum(result[name] for name in names) == len(said) == len(result["details"])
    assert 0 <= result["accuracy"] <= result["accuracy_given_attempted"] <= 100
    assert result["error_count"] == said.count(None)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.main)
@tries(60)
@given(said=st.lists(SAID, min_size=1, max_size=6))
def test_verdicts(scale: VerdictPostprocessor, said: list[str | None]) -> None:
    records = {str(number): record(number, text) for number, text in enumerate(said)}
    if all(text is None or scale.scale.read(text) is None for text in said):
        with pytest.raises(ValueError, match="verdict"):
            scale(records)
        return
    metrics = scale(records)
    assert math.isfinite(metrics[scale.main])


@tries(200)
@given(text=WORDS, prompt=WORDS)
def test_a_grade_is_one_that_was_offered(text: str, prompt: str) -> None:
    grade = grade_of(text, letters := grades_offered(prompt))
    assert grade is None or grade in letters
