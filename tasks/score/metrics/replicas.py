"""Replicas of a pair, one for each pass over the rows: what the evaluator says of their samples, and what holds."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any

from tasks.score.files.samples import Sample, SampleView
from tasks.score.interface import VERDICTS, Evaluation, ExtractionStatus
from tasks.score.metrics.standard_error import scale_of_mean

NOT_FOUND = (str(ExtractionStatus.UNPARSED), str(ExtractionStatus.AMBIGUOUS))
"""What stands in place of a rule where none found an answer."""
NO_VERDICT = "no_verdict"
"""Key under which details say why a judge has no verdict on a sample, which then does not count."""


@dataclass(frozen=True)
class Replica:
    """One pass over the rows; all columns are in the order of its samples."""

    samples: SampleView
    details: list[dict[str, Any]] | None
    """As the evaluator gave them, with verdicts settled."""
    verdicts: list[bool] | None
    """Whether each sample is right; None where the evaluator does not say."""
    rules: list[str | None]
    """Which rule found each answer, or `unparsed`, `ambiguous`; None for samples without an answer."""
    metrics: dict[str, float]
    others: dict[str, Any]
    unjudged: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    """Details of the samples left out because there is no verdict on them, by position."""


def is_guess(rule: str | None) -> bool:
    """Whether the rule is one that guesses."""
    return rule is not None and rule.startswith("fallback:")


def judged_replica(samples: SampleView, evaluation: Evaluation) -> Replica:
    """Samples without an answer are wrong whatever the evaluator said; metrics that are means of verdicts follow.

    Where the evaluator reads answers by itself, the rules that its details name count. Samples without a verdict are
    left out.
    """
    details = evaluation.details
    if details is not None and any(NO_VERDICT in detail for detail in details):
        return _without_gaps(samples, evaluation, details)
    key = next(
        (name for name in VERDICTS if details and all(isinstance(d.get(name), bool | int) for d in details)), None
    )
    if details is None or key is None:
        rules = [sample.rule for sample in samples]
        return Replica(samples, details, None, rules, evaluation.metrics, evaluation.others)
    said = [bool(detail[key]) for detail in details]
    verdicts: list[bool] = []
    rules: list[str | None] = []
    for index, sample in enumerate(samples):
        rule = _rule(sample, details[index])
        verdict = said[index] and sample.is_answered and rule not in NOT_FOUND
        if verdict is not said[index]:
            details[index] = details[index] | {name: verdict for name in VERDICTS if name in details[index]}
        verdicts.append(verdict)
        rules.append(rule)
    metrics = _settled(evaluation.metrics, said, verdicts)
    return Replica(samples, details, verdicts, rules, metrics, evaluation.others)


def _without_gaps(samples: SampleView, evaluation: Evaluation, details: list[dict[str, Any]]) -> Replica:
    kept = [index for index, detail in enumerate(details) if NO_VERDICT not in detail]
    view = SampleView(samples.samples, [samples.positions[index] for index in kept])
    unjudged = {samples.positions[i]: detail for i, detail in enumerate(details) if NO_VERDICT in detail}
    replica = judged_replica(view, evaluation._replace(details=[details[index] for index in kept]))
    return replace(replica, unjudged=unjudged)


def _rule(sample: Sample, detail: dict[str, Any]) -> str | None:
    told = detail.get("rule")
    return told if isinstance(told, str) and sample.is_answered else sample.rule


def _settled(metrics: dict[str, float], said: Sequence[bool], verdicts: Sequence[bool]) -> dict[str, float]:
    if said == verdicts:
        return dict(metrics)
    return {
        name: value if (scale := scale_of_mean(value, said)) is None else scale * fmean(verdicts)
        for name, value in metrics.items()
    }
