"""Answers that name an option by its letter or by its text."""

from typing import Any

import pytest

from tasks.score.evaluators.options import (
    AccContaminationEvaluator,
    EDAccEvaluator,
    GPQAEvaluator,
    OptionSimAccEvaluator,
)

_ROW = {"A": "New York", "B": "York", "C": "the red car", "D": "1,000"}


def _chosen(prediction: str, row: dict[str, Any] = _ROW) -> tuple[str, str]:
    evaluator = OptionSimAccEvaluator(options="ABCD")
    [detail] = evaluator.score(predictions=[prediction], references=["A"], test_set=[row])["details"]
    return detail["pred"], detail["rule"]


@pytest.mark.parametrize(
    ("prediction", "letter", "rule"),
    [
        ("B", "B", "first-line"),
        ("The answer is (C)", "C", "answer-is"),
        ("I would say a red car", "C", "option-text"),
        ("New York", "A", "option-text"),
        ("york!", "B", "option-text"),
        ("It costs 1000", "D", "option-text"),
        ("the rad cart", "C", "fallback:nearest-text"),
    ],
)
def test_option_by_letter_or_text(prediction: str, letter: str, rule: str) -> None:
    assert _chosen(prediction) == (letter, rule)


@pytest.mark.parametrize(
    ("prediction", "rule"),
    [
        ("", "unparsed"),
        ("<think>New York", "unparsed"),
        ("The red car or York", "ambiguous"),
        ("The answer is A and B.", "ambiguous"),
    ],
)
def test_no_option(prediction: str, rule: str) -> None:
    assert _chosen(prediction) == ("", rule)


def test_option_texts_must_be_there() -> None:
    with pytest.raises(ValueError, match="no column for the option 'D'"):
        _chosen("x", {"A": "x", "B": "y", "C": "z"})
    with pytest.raises(ValueError, match="reference 0 is none of A, B: 'C'"):
        OptionSimAccEvaluator("AB").score(predictions=["A"], references=["C"], test_set=[_ROW])


def test_nearest_candidate() -> None:
    reference = {"candidates": ["positive", ["negative", "neg"]], "label": 1}
    result = EDAccEvaluator().score(predictions=["Negativ", "posit", "neg", ""], references=[reference] * 4)
    assert [detail["correct"] for detail in result["details"]] == [True, False, True, False]
    assert result["accuracy"] == 50.0
    assert result["details"][3]["rule"] == "unparsed"


def test_equally_near_candidates_are_ambiguous() -> None:
    reference = {"candidates": ["aa", "bb"], "label": 0}
    [detail] = EDAccEvaluator().score(predictions=["ab"], references=[reference])["details"]
    assert (detail["correct"], detail["rule"]) == (False, "ambiguous")


@pytest.mark.parametrize("reference", ["x", {}, {"candidates": ["a"], "label": 3}, {"candidates": ["a"]}])
def test_a_reference_without_candidates_is_an_error(reference: Any) -> None:
    with pytest.raises(ValueError, match="reference 0"):
        EDAccEvaluator().score(predictions=["a"], references=[reference])


def test_gpqa_compares_letters() -> None:
    result = GPQAEvaluator().score(predictions=["B", "(b)", "B.", "C", "", "Because"], references=["B"] * 6)
    assert [detail["correct"] for detail in result["details"]] == [True, True, True, False, False, False]
    with pytest.raises(ValueError, match="reference 0 is no letter"):
        GPQAEvaluator().score(predictions=["B"], references=[""])


def test_contamination_splits_the_accuracy() -> None:
    groups = ["clean", "clean", "input contamination", "input-and-label contamination"]
    rows = [{"is_clean": group} for group in groups]
    result = AccContaminationEvaluator().score(predictions=list("ABAB"), references=list("AAAA"), test_set=rows)
    del result["details"]
    assert result == {
        "accuracy - clean": 50.0,
        "accuracy - input contaminated": 100.0,
        "accuracy - input-and-label contaminated": 0.0,
    }


def test_contamination_needs_its_column() -> None:
    with pytest.raises(ValueError, match="is_clean"):
        AccContaminationEvaluator().score(predictions=["A"], references=["A"], test_set=[{}])
