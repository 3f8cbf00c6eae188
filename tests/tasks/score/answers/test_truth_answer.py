"""Yes or no, true or false: what a text is taken to state."""

import pytest

from tasks.score.answers.dataset_postprocessors import strategyqa_pred_postprocess
from tasks.score.answers.truth import truth_answer, truth_of_clause
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        (r"\boxed{no}", False),
        (r"$\boxed{\text{Yes}}$", True),
        ("### Answer\nNo", False),
        ("So the answer is yes.", True),
        ("The answer is True: because every bounded sequence has one", True),
        ("Answer: **False**", False),
        ("Yes, it is, since no one objects.", True),
        ("No. Yes would be odd.", False),
        ("We think it over.\n\nYes.", True),
        ("答案是：否", False),
        ("【答案】正确", True),
        ("<answer>true</answer>", True),
        ("The answer is therefore no, not yes.", False),
        ("<think>The answer is no</think>Yes", True),
        ("Yes<|im_end|>", True),
    ],
)
def test_states(text: str, truth: bool) -> None:
    assert truth_answer(text).answer is truth
    assert strategyqa_pred_postprocess(text).answer == ("yes" if truth else "no")


@pytest.mark.parametrize(
    "text",
    ["No one knows.", "The answer is no longer known.", "True love is rare", "It is not known", "Answer: nothing", "",
     "Yesterday", "<think>Yes", "No-one", "是否可行要看情况"],
)  # fmt: skip
def test_states_neither(text: str) -> None:
    assert truth_answer(text).status is ExtractionStatus.UNPARSED


def test_a_clause_is_judged_by_its_first_word() -> None:
    assert truth_of_clause("true, not false") is True
    assert truth_of_clause("**No**") is False
    assert truth_of_clause("it is true") is None
