"""What results files tell of a model's contests besides the metrics."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tasks.score.metrics.replicas import NO_VERDICT
from tasks.score.subjective.agreement import agreement
from tasks.score.subjective.combined_verdicts import mean_metrics
from tasks.score.subjective.contest_verdict import Hearing, Held
from tasks.score.subjective.decision import Decision, by, decisions, verdict_of
from tasks.score.subjective.postprocessors import VerdictPostprocessor
from tasks.score.subjective.verdict import Scale, Verdict


def told(held: Sequence[Held], scale: Scale | None) -> dict[str, Any]:
    """What results files tell besides metrics: those of each opponent and judge, and how far judges agree."""
    result: dict[str, Any] = {}
    against = {contest.contest.against: dict(contest.result) for contest in held if contest.contest.against}
    if against:
        result["against"] = against
    result["judges"] = {judge: mean_metrics(found) for judge, found in _by_judge(held).items()}
    labels: dict[str, dict[Any, str]] = {}
    for contest in held:
        for said in contest.heard:
            verdicts = labels.setdefault(said.judge, {})
            for number, record in said.records.items():
                verdict = verdict_of(record, scale) if scale is not None and "verdict" not in record else None
                if verdict is not None:
                    verdicts[contest.contest.name, number] = verdict.label
    if scale is not None and len(labels) > 1:
        result["agreement"] = agreement(labels, ordered=scale.is_ordered)
    return result


def _by_judge(held: Sequence[Held]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for contest in held:
        for judge, result in contest.by_judge.items():
            found.setdefault(judge, []).append(result)
    return found


def details(held: Sequence[Held], hearing: Hearing, samples: int) -> list[dict[str, Any]]:
    """Of every sample what each judge said and its part of the main metric, or why there is no verdict."""
    judgments: list[list[dict[str, Any]]] = [[] for _ in range(samples)]
    for sample, judgment in _judgments(held, hearing.scale):
        judgments[sample].append(judgment)
    found: list[dict[str, Any]] = [{"judgments": said} for said in judgments]
    count = hearing.count.function
    if not isinstance(count, VerdictPostprocessor):
        return found
    decided: list[Decision] = [d for contest in held for r in contest.deciding for d in decisions(r, count.scale)]
    of_sample = by(decided, "sample")
    for sample, detail in enumerate(found):
        if sample in of_sample:
            detail[count.main] = count.sample(of_sample[sample])
        else:
            gaps = [judgment[NO_VERDICT] for judgment in detail["judgments"] if NO_VERDICT in judgment]
            detail[NO_VERDICT] = gaps[0] if gaps else "no answer of the other model"
    return found


def _judgments(held: Sequence[Held], scale: Scale | None) -> Iterator[tuple[int, dict[str, Any]]]:
    for contest in held:
        for said in contest.heard:
            for number, question in enumerate(contest.asked):
                judgment: dict[str, Any] = {"judge": said.judge, "shown": [side.model for side in question.shown]}
                record = said.records.get(str(number))
                if record is None:
                    judgment[NO_VERDICT] = said.gaps[number]
                else:
                    verdict = verdict_of(record, scale) if scale is not None else None
                    judgment |= {**_shown(verdict), "text": record["prediction"]}
                yield question.sample, judgment


def _shown(verdict: Verdict | None) -> dict[str, Any]:
    """Label, value and weight: what summaries of several models need."""
    if verdict is None:
        return {"verdict": None}
    return {"verdict": verdict.label, "value": verdict.value, "weight": verdict.weight}
