"""Evaluators of LawBench (Fei et al. 2023, arXiv:2309.16289): task 2-4, what a question is about, and 2-6, entities.

Both give `score` and `abstention_rate`, the share of samples that name no option or no entity, from 0 to 100.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tasks.score.answers.reasoning import without_reasoning
from tasks.score.interface import BaseEvaluator
from tasks.score.metrics.replicas import NO_VERDICT

CATEGORIES = (
    "婚姻家庭", "劳动纠纷", "交通事故", "债权债务", "刑事辩护", "合同纠纷", "房产纠纷",
    "侵权", "公司法", "医疗纠纷", "拆迁安置", "行政诉讼", "建设工程", "知识产权",
    "综合咨询", "人身损害", "涉外法律", "海事海商", "消费权益", "抵押担保",
)  # fmt: skip
ENTITIES = (
    "犯罪嫌疑人", "受害人", "被盗货币", "物品价值", "盗窃获利",
    "被盗物品", "作案工具", "时间", "地点", "组织机构",
)  # fmt: skip
_NOTHING = ("无", "未提及")
_KIND = re.compile(rf"({'|'.join(ENTITIES)})[:：](?=[\s\S]{{2}})")
_ENTITY = re.compile(r"\s*([^\n ]*)")
_AGAINST_ZERO = 1e-10
"""Part of the benchmark's formula for F1."""


class ConsultationEvaluator(BaseEvaluator):
    """Task 2-4: right if the answer names the reference's category and no other."""

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is no category."""
        stranger = next((reference for reference in references if reference not in CATEGORIES), None)
        if stranger is not None:
            raise ValueError(f"the reference {stranger!r:.80} is no category of task 2-4")
        details: list[dict[str, Any]] = []
        for prediction, reference in zip(predictions, references, strict=True):
            text = without_reasoning(str(prediction))
            named = [category for category in CATEGORIES if category in text]
            details.append({"pred": named, "answer": reference, "correct": named == [reference]})
        return percentages([float(detail["correct"]) for detail in details], details)


class EntityEvaluator(BaseEvaluator):
    """Task 2-6: mean F1 of the kinds of entities named, each counted by how well its characters agree."""

    takes_empty_references = True
    """A text may hold no entity."""

    def score(self, predictions: Sequence[Any], references: Sequence[str]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference that is not of the form `kind:entity;kind:entity`."""
        golds = [_reference_entities(reference) for reference in references]
        details: list[dict[str, Any]] = []
        for prediction, gold in zip(predictions, golds, strict=True):
            named = _named_entities(without_reasoning(str(prediction)))
            details.append({"pred": named, "answer": gold, "score": 100 * _entity_f1(named, gold)})
        return percentages([detail["score"] / 100 for detail in details], details)


def percentages(scores: Sequence[float], details: list[dict[str, Any]]) -> dict[str, Any]:
    """The mean of scores from 0 to 1, and the share of all rows that name nothing in `pred`.

    `details` may hold rows left out: as in the benchmark they have no score, and count among all rows.
    """
    # Where the reference has no entities, naming none is the answer; a number may be 0.
    kept = (detail for detail in details if NO_VERDICT not in detail)
    abstained = sum(detail["pred"] in (None, [], {}) and detail["answer"] not in ([], {}) for detail in kept)
    return {
        "score": 100 * sum(scores) / (len(scores) or 1),
        "abstention_rate": 100 * abstained / (len(details) or 1),
        "details": details,
    }


def left_out(answer: Any) -> dict[str, Any]:
    """The detail of a row that the benchmark itself does not count."""
    return {"answer": answer, NO_VERDICT: "the benchmark leaves this row out"}


def _reference_entities(reference: str) -> dict[str, str]:
    parts = [part.split(":") for part in reference.split(";")] if reference.strip() else []
    if any(len(part) != 2 for part in parts):
        raise ValueError(f"the reference {reference!r:.80} is not of the form 'kind:entity;kind:entity'")
    return {part[0]: part[1] for part in parts}


def _named_entities(text: str) -> dict[str, str]:
    """The entity behind each kind and a colon, up to a blank or the end of the line; the last one counts."""
    named: dict[str, str] = {}
    for kind in reversed(list(_KIND.finditer(text))):
        found = None if kind[1] in named else _ENTITY.match(text, kind.end())
        if found and (entity := found[1].strip()) not in _NOTHING:
            named[kind[1]] = entity
    return named


def _entity_f1(named: Mapping[str, str], gold: Mapping[str, str]) -> float:
    if not gold:
        return float(not named)
    agreement = sum(character_f1(named[kind], gold[kind]) for kind in named.keys() & gold.keys())
    precision = agreement / len(named) if named else 0.0
    recall = agreement / len(gold)
    return 2 * precision * recall / (precision + recall + _AGAINST_ZERO)


def character_f1(named: str, gold: str) -> float:
    """F1 over letters and digits, each as often as it occurs; two texts without any agree."""
    ours, theirs = _characters(named), _characters(gold)
    if not ours or not theirs:
        return float(ours == theirs)
    common = (ours & theirs).total()
    return 2 * common / (ours.total() + theirs.total())


def _characters(text: str) -> Counter[str]:
    return Counter(character for character in text.lower() if character.isalpha() or character.isdigit())
