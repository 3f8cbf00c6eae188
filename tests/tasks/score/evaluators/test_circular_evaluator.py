"""CircularEval: all orders of a question's options must be answered right."""

import pytest

from tasks.score.evaluators.circular import CircularEvaluator

_ROTATIONS = ("ABCD", "BCDA", "CDAB", "DABC")


def _rows(question: int, patterns: tuple[str, ...] = _ROTATIONS) -> list[dict[str, object]]:
    return [{"qid": question, "circular_pattern": "_SEP_".join(pattern)} for pattern in patterns]


def test_named_metrics() -> None:
    result = CircularEvaluator().score(
        predictions=list("ABCD") + list("ABCA"), references=list("ABCD") * 2, test_set=[*_rows(1), *_rows(2)]
    )
    assert result.pop("details")[7] == {"pred": "A", "answer": "D", "correct": False}
    assert result == {
        "acc_origin": 100.0, "more_1_origin": 100.0, "perf_origin": 100.0,
        "acc_circular": 87.5, "more_1_circular": 100.0, "more_2_circular": 100.0, "more_3_circular": 100.0,
        "more_4_circular": 50.0, "perf_circular": 50.0,
    }  # fmt: skip


def test_all_orders() -> None:
    orders = ("AB", "BA")
    result = CircularEvaluator("all_possible").score(list("AB"), list("AB"), [*_rows(1, orders)])
    assert result["perf_all_possible"] == 100.0


def test_a_question_with_a_missing_copy_is_not_perfect() -> None:
    result = CircularEvaluator().score(list("ABC") + list("ABCD"), list("ABC") + list("ABCD"), _rows(1)[:3] + _rows(2))
    assert result["acc_circular"] == 100.0
    only = CircularEvaluator().score(list("ABC"), list("ABC"), _rows(1)[:3])
    assert "perf_circular" not in only


def test_numbered_metrics() -> None:
    references = [f"0--{answer}--{pattern}" for answer, pattern in zip("ADCB", _ROTATIONS, strict=True)]
    result = CircularEvaluator().score(list("ADCA"), references)
    assert (result["acc_4"], result["acc_1"], result["perf_4"], result["perf_1"]) == (75.0, 100.0, 0.0, 100.0)
    assert [result[f"more_4_{j}"] for j in range(5)] == [100.0, 100.0, 100.0, 100.0, 0.0]
    assert result["vote_4"] == 100.0
    assert [result[f"prior_{letter}"] for letter in "ABCD-"] == [50.0, 0.0, 25.0, 25.0, 0.0]


def test_votes_are_for_the_original_letters() -> None:
    """Always the first place is never the same option."""
    references = [f"0--{answer}--{pattern}" for answer, pattern in zip("ADCB", _ROTATIONS, strict=True)]
    assert CircularEvaluator().score(list("AAAA"), references)["vote_4"] == 0.0


def test_data_must_say_which_copy_is_whose() -> None:
    with pytest.raises(ValueError, match="'qid' and 'circular_pattern'"):
        CircularEvaluator().score(["A"], ["A"], [{}])
