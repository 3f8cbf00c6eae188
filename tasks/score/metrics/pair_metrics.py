"""The metrics of a pair: averaged over its replicas, with standard errors, strict variants, G-Pass@k, maj@k."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from tasks.score.metrics.repeats import g_pass_metrics, majority
from tasks.score.metrics.replicas import Replica, is_guess
from tasks.score.metrics.standard_error import clustered_standard_error, scale_of_mean, standard_error
from tasks.spec.specs import DatasetSpec

Subdivision = Callable[[int], str]
"""Names the part of the data that a row belongs to."""
Question = Callable[[int], Hashable]
"""What a row asks; rows that ask the same in another form are not independent."""


@dataclass
class Metrics:
    """The metrics of a pair by name."""

    values: dict[str, float] = field(default_factory=dict[str, float])
    others: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])
    """What the evaluator returned beside numbers: one entry per replica."""
    stderr: dict[str, float] = field(default_factory=dict[str, float])
    strict: dict[str, float] = field(default_factory=dict[str, float])
    """Without the answers that guessing rules found; empty where none did."""
    shares: dict[str, float] = field(default_factory=dict[str, float])
    """Of the metrics that are this number (1 or 100) times the share of right samples: the number."""
    scales: dict[str, float] = field(default_factory=dict[str, float])
    """Of the metrics whose samples have values between 0 and this number (1 or 100): the number."""


def join(
    replicas: Sequence[Replica], dataset: DatasetSpec, subdivision: Subdivision, question: Question | None = None
) -> Metrics:
    """Averages every metric over the replicas and adds G-Pass@k and maj@k where the dataset asks for it.

    Without `question` every row is one of its own.
    """
    metrics = Metrics()
    for name in dict.fromkeys(name for replica in replicas for name in replica.metrics):
        shown = f"{name} ({dataset.n} runs average)" if dataset.n > 1 else name
        metrics.values[shown] = fmean(replica.metrics[name] for replica in replicas if name in replica.metrics)
    _add_errors(metrics, replicas, dataset.n, question)
    for name in dict.fromkeys(name for replica in replicas for name in replica.others):
        metrics.others[name] = [replica.others.get(name) for replica in replicas]
    for name, rows in {**_g_pass(replicas, dataset, subdivision), **_majorities(replicas, dataset)}.items():
        metrics.values[name] = 100 * fmean(rows)
        error = standard_error(rows)
        metrics.stderr |= {} if error is None else {name: 100 * error}
    return metrics


def _add_errors(metrics: Metrics, replicas: Sequence[Replica], n: int, question: Question | None) -> None:
    """Standard errors of the metrics that are means of a column of the details, or of the verdicts."""
    verdicts = _verdicts(replicas)
    for shown in metrics.values:
        name = shown.removesuffix(f" ({n} runs average)")
        own = _column(replicas, name)
        column = own or verdicts
        scale = scale_of_mean(metrics.values[shown], [_mean(column)]) if column else None
        if column is None or scale is None:
            continue
        error = _error(column, replicas, question)
        metrics.stderr |= {} if error is None else {shown: scale * error}
        metrics.scales |= {} if own is None else _scale_of_values(shown, own, scale)
        if own and question is None and len(replicas) == 1 and set(own[0]) <= {0, 100}:
            metrics.shares[shown] = 100.0  # each sample is won or lost
        if column is verdicts:
            metrics.shares |= {shown: scale} if question is None else {}
            verdicts = None  # a second metric of the same value is another one by chance, e.g. a count of zero
            if any(is_guess(rule) for replica in replicas for rule in replica.rules):
                metrics.strict[shown] = scale * _mean([_certain(replica) for replica in replicas])


Columns = Sequence[Sequence[float]]
"""One column per replica."""


def _verdicts(replicas: Sequence[Replica]) -> Columns | None:
    columns = [replica.verdicts for replica in replicas if replica.verdicts is not None]
    return columns if len(columns) == len(replicas) else None


def _column(replicas: Sequence[Replica], name: str) -> Columns | None:
    """The numbers that all details have under the metric's name."""
    columns: list[list[float]] = []
    for replica in replicas:
        values: list[Any] = [detail.get(name) for detail in replica.details or ()]
        if not values or not all(isinstance(value, int | float) for value in values):
            return None
        columns.append(values)
    return columns


def _scale_of_values(metric: str, columns: Columns, scale: float) -> dict[str, float]:
    """Nothing where the values do not tell: all zero, negative, or large ones."""
    values = [value for column in columns for value in column]
    low, high = min(values), max(values)
    if low < 0 or high == 0:
        return {}
    if high <= 1:
        return {metric: scale}
    return {metric: 100.0} if high <= 100 and scale == 1 else {}


def _certain(replica: Replica) -> list[bool]:
    return [verdict and not is_guess(rule) for verdict, rule in zip(replica.verdicts or (), replica.rules, strict=True)]


def _mean(columns: Columns) -> float:
    """The mean of the replicas' means."""
    return fmean(fmean(column) for column in columns)


def _error(columns: Columns, replicas: Sequence[Replica], question: Question | None) -> float | None:
    if len(columns) == 1 and question is None:
        return standard_error(columns[0])
    asked = [question(row) if question else row for replica in replicas for row in replica.samples.rows()]
    return clustered_standard_error(asked, [value for column in columns for value in column])


def _judged_rows(replicas: Sequence[Replica]) -> Iterator[tuple[int, bool]]:
    for replica in replicas:
        yield from zip(replica.samples.rows(), replica.verdicts or (), strict=True)


def _majorities(replicas: Sequence[Replica], dataset: DatasetSpec) -> dict[str, list[float]]:
    """maj@k of every row: whether the answer most of its first k answers give is right."""
    ks = [k for k in dataset.k if 1 < k <= dataset.n]
    if not ks or _verdicts(replicas) is None:
        return {}
    answers: dict[int, list[tuple[str, bool]]] = {}
    for replica in replicas:
        for row, answer, verdict in zip(replica.samples.rows(), _answers(replica), replica.verdicts or (), strict=True):
            answers.setdefault(row, []).append((answer, verdict))
    return {f"maj@{k}": [majority(given[:k]) for given in answers.values()] for k in ks}


def _answers(replica: Replica) -> Iterator[str]:
    """The answer that each sample votes for; empty where none was found."""
    for sample, detail in zip(replica.samples, replica.details or (), strict=True):
        answer = detail.get("pred", sample.extracted.extraction.answer)
        yield str(answer) if sample.is_answered and answer is not None else ""


def _g_pass(replicas: Sequence[Replica], dataset: DatasetSpec, subdivision: Subdivision) -> dict[str, list[float]]:
    """G-Pass@k of every row by metric: over all rows, then over those of each subdivision of the data."""
    if dataset.n < 2 or max(dataset.k) < 2 or _verdicts(replicas) is None:
        return {}
    verdicts: dict[int, list[bool]] = {}
    for row, verdict in _judged_rows(replicas):
        verdicts.setdefault(row, []).append(verdict)
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
