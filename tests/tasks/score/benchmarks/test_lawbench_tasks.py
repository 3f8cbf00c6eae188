"""LawBench: what counts as the right letter, label, number or text in each task."""

from typing import Any

import pytest

from tasks.score.benchmarks.lawbench import labels, numbers, texts
from tasks.score.metrics.replicas import NO_VERDICT


def _evaluator(task: str) -> Any:
    name = f"LawBenchEvaluator_{task}"
    return next(vars(module)[name]() for module in (labels, numbers, texts) if name in vars(module))


def _score(task: str, prediction: str, reference: str) -> dict[str, Any]:
    return _evaluator(task).score(predictions=[prediction], references=[reference])


@pytest.mark.parametrize(
    ("task", "reference", "scores"),
    [
        ("1_1", "答案:第一条 当事人的合同应当履行。", {"第一条 当事人的合同应当履行。": 100, "北京很大": 0}),
        ("1_2", "正确答案：B。", {"[正确答案]B<eoa>": 100, "A或B": 0, "<think>A</think>B": 100}),
        ("2_2", "争议焦点类别：违约。", {"这是违约": 100, "违约、利息": 0}),
        ("2_3", "类别:准予离婚、支付抚养费。", {"准予离婚、支付抚养费": 100, "准予离婚": 200 / 3, "无": 0}),
        ("2_5", "回答:一百元", {"一百元": 100, "一百元整": 200 * 3 / 7, "无": 0}),
        ("2_7", "公众支持新的规定", {"公众支持新的规定": 100}),
        ("2_8", "[正确答案]E<eoa>", {"E": 100, "D": 0}),
        ("2_9", "支付/给付;欺骗", {"支付/给付;欺骗": 100, "欺骗": 200 / 3}),
        ("2_10", "给;骗", {"给;骗": 100, "给": 200 / 3, "无": 0}),
        ("3_1", "法条:刑法第264条", {"刑法第264条第一款": 100, "第二百六十四条": 100, "第263条、第264条": 200 / 3}),
        ("3_2", "第一条 应当履行。", {"第一条 应当履行。": 100}),
        ("3_3", "罪名:盗窃;诈骗", {"盗窃、诈骗": 100, "盗窃": 200 / 3, "无罪": 0}),
        ("3_4", "刑期:12个月", {"[刑期]12月<eoa>": 100, "一年": 100, "十二个月": 100, "不知道": 0}),
        ("3_6", "正确答案:C。", {"C": 100}),
        ("3_7", "上文涉及到的犯罪金额:3723.5元。", {"共3723.5元": 100, "3700元": 0}),
        ("3_8", "可以要求赔偿", {"可以要求赔偿": 100}),
    ],
)
def test_scores(task: str, reference: str, scores: dict[str, float]) -> None:
    measured = {prediction: _score(task, prediction, reference)["score"] for prediction in scores}
    assert measured == pytest.approx(scores, abs=1e-6)


def test_a_term_counts_by_its_distance() -> None:
    near, far = (_score("3_4", text, "刑期:12个月")["score"] for text in ("14个月", "60个月"))
    assert 50 < far < near < 100


@pytest.mark.parametrize(("task", "reference"), [("3_4", "刑期:无期"), ("2_2", "争议焦点类别：赔偿。")])
def test_rows_that_the_benchmark_leaves_out_do_not_count(task: str, reference: str) -> None:
    result = _score(task, "一年", reference)
    assert result["score"] == 0
    assert NO_VERDICT in result["details"][0]


@pytest.mark.parametrize(
    ("task", "reference"), [("1_2", "正确答案：F。"), ("3_1", "法条:民法第1条"), ("3_7", "3元"), ("3_4", "刑期:长")]
)
def test_references_of_another_form_are_errors(task: str, reference: str) -> None:
    with pytest.raises(ValueError, match="the reference"):
        _score(task, "x", reference)


@pytest.mark.parametrize(
    ("task", "reference"), [("1_2", "正确答案：B。"), ("3_4", "刑期:12个月"), ("3_3", "罪名:盗窃")]
)
def test_naming_nothing_is_an_abstention(task: str, reference: str) -> None:
    assert _score(task, "我不知道", reference)["abstention_rate"] == 100


@pytest.mark.parametrize(
    ("task", "references"),
    [
        ("2_2", ["争议焦点类别：违约。", "争议焦点类别：赔偿。"]),
        ("3_4", ["刑期:12个月", "刑期:死刑"]),
        ("3_5", ["刑期:9个月", "刑期:无期"]),
    ],
)
def test_abstentions_are_counted_among_all_rows_and_scores_among_those_with_a_score(
    task: str, references: list[str]
) -> None:
    result = _evaluator(task).score(["我不知道"] * 2, references)
    assert (result["score"], result["abstention_rate"]) == (0, 50)


@pytest.mark.parametrize(
    "numeral", ["四五十", "十十", "万", "百二", "三百零一十", "三百零六十八", "四百零十七", "千亿十", "一百零一百"]
)
def test_a_numeral_that_is_none_costs_no_other_row(numeral: str) -> None:
    result = _evaluator("3_1").score([f"第{numeral}条", "第二百六十四条"], ["法条:刑法第12条", "法条:刑法第264条"])
    assert [detail["score"] for detail in result["details"]] == [0, 100]
