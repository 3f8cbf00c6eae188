"""Cohen's kappa between judges, against Cohen's own example and by hand."""

import pytest

from tasks.score.subjective.agreement import agreement


def test_the_textbook_example() -> None:
    """50 cases: both yes 20, both no 15, only the first yes 5, only the second yes 10; kappa is 0.4."""
    cells = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    labels = {"a": {i: a for i, (a, _) in enumerate(cells)}, "b": {i: b for i, (_, b) in enumerate(cells)}}
    [found] = agreement(labels, ordered=False)
    assert found["judges"] == ["a", "b"] and found["n"] == 50
    assert found["kappa"] == pytest.approx(0.4) and found["equal"] == pytest.approx(70)


def test_of_ratings_a_near_miss_agrees_more_than_a_far_one() -> None:
    truth = {i: str(rating) for i, rating in enumerate((1, 3, 5, 7, 9, 10))}
    near = {i: str(min(10, float(rating) + 0.5)) for i, rating in truth.items()}
    far = {i: str(11 - float(rating)) for i, rating in truth.items()}
    found = {entry["judges"][1]: entry["kappa"] for entry in agreement({"t": truth, "n": near}, ordered=True)}
    found |= {entry["judges"][1]: entry["kappa"] for entry in agreement({"t": truth, "f": far}, ordered=True)}
    assert found["n"] > 0.9 and found["f"] < -0.5


def test_only_what_both_decided_counts_and_one_label_has_no_kappa() -> None:
    [found] = agreement({"a": {0: "m", 1: "M"}, "b": {0: "m", 2: "M"}}, ordered=False)
    assert (found["n"], found["kappa"]) == (1, None)
    [found] = agreement({"a": {}, "b": {}}, ordered=False)
    assert (found["n"], found["equal"], found["kappa"]) == (0, None, None)
