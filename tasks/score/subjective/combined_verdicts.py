"""What several judges said, as one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from numbers import Real
from statistics import fmean
from typing import Any

from tasks.score.subjective.decision import JudgeRecords, verdict_of
from tasks.score.subjective.verdict import Scale


def mean_metrics(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean of every number that all results have; of a dict of numbers, that of each entry."""
    if len(results) == 1:
        return {name: value for name, value in results[0].items() if name != "details"}
    means: dict[str, Any] = {}
    for name, value in results[0].items():
        values = [result.get(name) for result in results]
        if all(isinstance(item, Mapping) for item in values) and name != "details":
            means[name] = mean_metrics([item for item in values if isinstance(item, Mapping)])
        elif isinstance(value, Real) and not isinstance(value, bool):
            numbers = [float(item) for item in values if isinstance(item, Real)]
            means |= {name: fmean(numbers)} if len(numbers) == len(values) else {}
    return means


def majority_records(records: Sequence[JudgeRecords], scale: Scale) -> dict[str, dict[str, Any]]:
    """One record per question with the verdict that most judges gave; without a single most frequent one, none."""
    majority: dict[str, dict[str, Any]] = {}
    for key in dict.fromkeys(key for of_judge in records for key in of_judge):
        said = [of_judge[key] for of_judge in records if key in of_judge]
        labels = Counter(verdict.label for record in said if (verdict := verdict_of(record, scale)) is not None)
        most = labels.most_common(2)
        if most and (len(most) == 1 or most[0][1] > most[1][1]):
            majority[key] = {"gold": said[0]["gold"], "verdict": f"[[{most[0][0]}]]"}
    return majority
