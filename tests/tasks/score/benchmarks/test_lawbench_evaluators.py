"""LawBench: categories that an answer names, and entities that it lists."""

import pytest

from tasks.score.benchmarks.lawbench.evaluators import ConsultationEvaluator, EntityEvaluator


@pytest.mark.parametrize(
    ("answer", "named", "correct"),
    [
        ("[类别]侵权<eoa>", ["侵权"], True),
        ("这属于侵权问题，侵权责任。", ["侵权"], True),
        ("<think>公司法？</think>侵权", ["侵权"], True),
        ("侵权或公司法", ["侵权", "公司法"], False),
        ("公司法", ["公司法"], False),
        ("无法判断", [], False),
        ("", [], False),
    ],
)
def test_one_category_must_be_named(answer: str, named: list[str], correct: bool) -> None:
    result = ConsultationEvaluator().score(predictions=[answer], references=["侵权"])
    assert result["details"] == [{"pred": named, "answer": "侵权", "correct": correct}]
    assert result["score"] == 100.0 * correct
    assert result["abstention_rate"] == 100.0 * (not named)


def test_a_reference_that_is_no_category_is_an_error() -> None:
    with pytest.raises(ValueError, match="'民法' is no category"):
        ConsultationEvaluator().score(predictions=["侵权"], references=["民法"])


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("受害人:严某某;\n时间：5月3日", 100),
        ("受害人: 严某某\n时间: 无", 200 / 3),
        ("受害人:严某某\n时间:5月3日\n地点:某处", 80),
        ("实体信息:\n受害人：\n严某某", 200 / 3),
        ("受害人:严某", 100 * 2 * 0.4 * 0.8 / 1.2),
        ("时间:五月", 100 * 2 / 6 * 2 / 3),
        ("受害人是严某某", 0),
        ("受害人:", 0),
        ("", 0),
    ],
)
def test_entities_count_by_their_characters(answer: str, score: float) -> None:
    result = EntityEvaluator().score(predictions=[answer], references=["受害人:严某某;时间:5月3日"])
    assert result["score"] == pytest.approx(score, abs=1e-6)


def test_naming_nothing_is_right_where_there_is_nothing() -> None:
    result = EntityEvaluator().score(predictions=["没有实体", "时间:5月", "没有"], references=["", "", "时间:5月"])
    assert [detail["score"] for detail in result["details"]] == [100, 0, 0]
    assert result["abstention_rate"] == pytest.approx(100 / 3)


@pytest.mark.parametrize("reference", ["受害人", "时间:5:30"])
def test_a_reference_of_another_form_is_an_error(reference: str) -> None:
    with pytest.raises(ValueError, match="is not of the form"):
        EntityEvaluator().score(predictions=["x"], references=[reference])


@pytest.mark.parametrize("text", ["时间:" * 300_000, "时间:" + " " * 900_000, "时间:无" * 200_000, "时" * 900_000])
def test_long_answers_take_linear_time(text: str) -> None:
    """A rule that takes quadratic time needs many minutes for these."""
    assert EntityEvaluator().score(predictions=[text], references=["时间:5月"])["score"] < 1
