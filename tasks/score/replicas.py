"""Joins the replicas of a pair: verdicts, metrics averaged over the replicas, their standard errors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from tasks.score.evaluation import VERDICTS, Evaluation
from tasks.score.repeats import g_pass_metrics
from tasks.score.samples import Sample
from tasks.score.standard_error import clustered_standard_error, scale_of_mean, standard_error
from tasks.spec.specs import DatasetSpec


@dataclass(frozen=True, slots=True)
class Judged:
    """A sample with what the evaluator says of it."""

    sample: Sample
    detail: dict[str, Any]
    verdict: bool | None
    """Whether it is right; None where the evaluator does not say."""


@dataclass(frozen=True)
class Replica:
    """One pass over the rows."""

    judged: list[Judged]
    metrics: dict[str, float]
    others: dict[str, Any]


@dataclass(frozen=True)
class Metrics:
    """The metrics of a pair."""

    values: dict[str, float]
    others: dict[str, list[Any]]
    stderr: dict[str, float]
    strict: dict[str, float]
    """Without the answers that guessing rules found; empty where none did."""


def judged_replica(samples: Sequence[Sample], evaluation: Evaluation) -> Replica:
    """Samples without an answer are wrong whatever the evaluator said; metrics that are means of verdicts follow."""
    details = evaluation.details or [{} for _ in samples]
    key = next((name for name in VERDICTS if all(isinstance(d.get(name), bool | int) for d in details)), None)
    judged: list[Judged] = []
    for sample, detail in zip(samples, details, strict=True):
        verdict = bool(detail[key]) and sample.is_answered if key else None
        settled = detail | {name: verdict for name in VERDICTS if name in detail}
        judged.append(Judged(sample, settled, verdict))
    metrics = dict(evaluation.metrics)
    if key:
        said = [float(detail[key]) for detail in details]
        right = [float(bool(item.verdict)) for item in judged]
        metrics |= {
            name: scale * fmean(right)
            for name, value in metrics.items()
            if said != right and (scale := scale_of_mean(value, said)) is not None
        }
    return Replica(judged, metrics, evaluation.others)


def join(replicas: Sequence[Replica], dataset: DatasetSpec, subdivision: Callable[[int], str]) -> Metrics:
    """Averages every metric over the replicas and adds G-Pass@k where the dataset asks for it.

    `subdivision` names the part of the data that a row belongs to.
    """
    judged = [item for replica in replicas for item in replica.judged]
    names = list(dict.fromkeys(name for replica in replicas for name in replica.metrics))
    values: dict[str, float] = {}
    stderr: dict[str, float] = {}
    strict: dict[str, float] = {}
    guessed = any(item.sample.is_guess for item in judged)
    verdicts: list[float] | None = [float(item.verdict) for item in judged if item.verdict is not None]
    verdicts = verdicts if len(verdicts) == len(judged) else None
    for name in names:
        shown = f"{name} ({dataset.n} runs average)" if dataset.n > 1 else name
        values[shown] = fmean(replica.metrics[name] for replica in replicas if name in replica.metrics)
        own = [float(entry) for item in judged if isinstance(entry := item.detail.get(name), int | float)]
        column = own if len(own) == len(judged) else verdicts
        scale = scale_of_mean(values[shown], [_mean_over(replicas, column)]) if column else None
        if column is None or scale is None:
            continue
        error = clustered_standard_error([item.sample.planned.row for item in judged], column)
        stderr |= {} if error is None else {shown: scale * error}
        if column is verdicts:
            verdicts = None  # a second metric of the same value is another one by chance, e.g. a count of zero
            if guessed:
                certain = [float(bool(item.verdict) and not item.sample.is_guess) for item in judged]
                strict[shown] = scale * _mean_over(replicas, certain)
    others = list(dict.fromkeys(name for replica in replicas for name in replica.others))
    g_pass = _g_pass(judged, dataset, subdivision)
    return Metrics(
        values | {name: 100 * fmean(rows) for name, rows in g_pass.items()},
        {name: [replica.others.get(name) for replica in replicas] for name in others},
        stderr | {name: 100 * error for name, rows in g_pass.items() if (error := standard_error(rows)) is not None},
        strict,
    )


def _mean_over(replicas: Sequence[Replica], column: Sequence[float]) -> float:
    """The mean of the replicas' means of a column that runs over all their samples."""
    means: list[float] = []
    start = 0
    for replica in replicas:
        means.append(fmean(column[start : start + len(replica.judged)]))
        start += len(replica.judged)
    return fmean(means)


def _g_pass(
    judged: Sequence[Judged], dataset: DatasetSpec, subdivision: Callable[[int], str]
) -> dict[str, list[float]]:
    """G-Pass@k of every row by metric: over all rows, then over those of each subdivision of the data."""
    if dataset.n < 2 or max(dataset.k) < 2 or any(item.verdict is None for item in judged):
        return {}
    verdicts: dict[int, list[bool]] = {}
    for item in judged:
        verdicts.setdefault(item.sample.planned.row, []).append(bool(item.verdict))
    overall: dict[str, list[float]] = {}
    grouped: dict[str, list[float]] = {}
    for row, right in verdicts.items():
        for k in dataset.k:
            if len(right) < k:  # too many of its requests failed
                continue
            for name, value in g_pass_metrics(len(right), sum(right), k).items():
                overall.setdefault(name, []).append(value)
                grouped.setdefault(f"{subdivision(row).split('_')[0]}/{name}", []).append(value)
    return overall | grouped
