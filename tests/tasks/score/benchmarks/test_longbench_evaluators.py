"""LongBench, RULER: how much of the right answer counts."""

from typing import Any

import pytest

from tasks.score.benchmarks import longbench
from tasks.score.evaluators.recall import RulerNiahEvaluator, RulerQaEvaluator

F1_ZH = {"language": "zh"}
CLASSES = {"answers": ["Food"], "all_classes": ["Food", "Foo", "Date"]}


@pytest.mark.parametrize(
    ("kind", "options", "reference", "scores"),
    [
        ("F1", {}, ["The old man", "he"], {"old man.": 100, "an old boat": 50, "boat": 0, "": 0}),
        ("F1", F1_ZH, ["北京大学"], {"北京大学": 100, "是北京大学。": 200 / 3, "上海": 0}),
        ("Count", {}, ["7"], {"7": 100, "7 of 12": 50, "seventeen": 0}),
        ("Retrieval", {}, ["Paragraph 12"], {"Paragraph 12": 100, "12 or 13": 50, "1": 0}),
        ("Retrieval", F1_ZH, ["段落12"], {"段落12": 100, "段落1": 0}),
        ("Rouge", {}, ["costs rose"], {"costs rose": 100, "costs": 200 / 3, "no": 0}),
        ("Rouge", F1_ZH, ["会议讨论预算"], {"会议讨论预算": 100, "无": 0}),
        ("CodeSim", {}, ["return total"], {"```python\n# sum\nreturn total\nx": 100, "": 0}),
        ("Classification", {}, CLASSES, {"Food": 100, "Food or Date": 50, "Date": 0, "none": 0}),
    ],
)
def test_longbench(kind: str, options: dict[str, Any], reference: Any, scores: dict[str, float]) -> None:
    evaluator = vars(longbench)[f"LongBench{kind}Evaluator"](**options)
    measured = {text: evaluator.score([text], [reference])["score"] for text in scores}
    assert measured == pytest.approx(scores)


@pytest.mark.parametrize("kind", ["F1", "Retrieval", "Rouge"])
def test_only_two_languages_are_known(kind: str) -> None:
    with pytest.raises(ValueError, match="neither 'en' nor 'zh'"):
        vars(longbench)[f"LongBench{kind}Evaluator"](language="de")


def test_ruler_counts_what_is_named_as_whole_words() -> None:
    result = RulerNiahEvaluator().score(
        ["It is 1234567 and 312.", "<think>12</think>none"], [["1234567", "12"], ["12"]]
    )
    assert [detail["score"] for detail in result["details"]] == [50, 0]
    assert result["score"] == 25


def test_one_alternative_is_enough_for_a_question() -> None:
    assert RulerQaEvaluator().score(["in Padoburg"], [["Padoburg", "Bali"]])["score"] == 100
