"""Summary groups: metrics computed from those of several datasets."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from statistics import fmean, pstdev
from typing import Any

from tasks.report.stats.mixtures import Means, Parts, find_mixture
from tasks.report.stats.weighted_sums import Mean, Term
from tasks.report.summary.arithmetic import evaluate_expression
from tasks.spec.findings import Finding, Place, UserError, closest, nearest

_log = logging.getLogger(__name__)
_KEYS = frozenset({"name", "subsets", "weights", "metric", "std", "sum", "harmonic_mean", "transforms", "mixed"})

_NAMED = 5
"""Missing metrics that are told by name."""
_LIKELY = 0.75
"""Likeness of a member to a dataset of the run from which on it may be that one, misspelt."""

Subset = tuple[str, str | None]
"""A dataset or an earlier group, and one of its metrics; None: each metric that all subsets have."""


@dataclass(frozen=True)
class Group:
    """One entry of `summary_groups`, checked."""

    name: str
    subsets: tuple[Subset, ...]
    operation: str
    """`standard_deviation`, `sum`, `weighted_average`, `harmonic_mean` or `naive_average`."""
    metric: str
    """Name of the result; only a name, it never changes the operation."""
    weights: Mapping[str, float] = field(default_factory=dict[str, float])
    """By `abbr` or `abbr@metric`."""
    transforms: Mapping[str, str] = field(default_factory=dict[str, str])
    """Expressions in `x`, by `abbr` or `abbr@metric`; applied first."""
    mixed: bool = False
    """Whether different metrics are put together all the same."""

    @property
    def by_metric(self) -> bool:
        """Whether the subsets name their metrics."""
        return self.subsets[0][1] is not None


@dataclass(frozen=True)
class GroupResult:
    """A group's metrics for one model."""

    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    parts: Mapping[str, Parts] = field(default_factory=dict[str, Parts])
    """What the means and sums are made of, where that is known of every member."""
    refused: Mapping[str, str] = field(default_factory=dict[str, str])
    """Metrics that were not computed because different ones do not mix: why, in words."""
    mixture: str = ""
    """The different metrics that the first of `metrics` was made of, where the configuration wants that."""
    reason: str = ""
    """Why there are no metrics."""
    is_absent: bool = False
    """Whether the model has none of the subsets, so that the group does not concern it."""


def parse_group(config: Mapping[str, Any], index: int) -> Group:
    """UserError naming the key of `summary_groups[index]` that cannot be used."""
    place = f"summarizer.summary_groups[{index}]"
    unknown = next((key for key in config if key not in _KEYS), None)
    if unknown is not None:
        raise _wrong(f"there is no option {unknown!r} here", f"{place}.{unknown}", nearest(unknown, _KEYS))
    for key in ("name", "subsets"):
        if not config.get(key):
            raise _wrong(f"a summary group needs {key!r}", place, f"add {key}=…")
    subsets = tuple(_subset(subset, f"{place}.subsets") for subset in config["subsets"])
    if len({metric is None for _, metric in subsets}) > 1:
        remedy = "write either dataset names or [dataset, metric] pairs"
        raise _wrong("subsets mix names and [name, metric] pairs", f"{place}.subsets", remedy)
    operation = _operation(config)
    transforms = dict(config.get("transforms") or {})
    for key, expression in transforms.items():
        try:
            evaluate_expression(str(expression), 1.0)
        except ValueError as error:
            if "has no value" not in str(error):
                raise _wrong(
                    str(error), f"{place}.transforms.{key}", "write arithmetic in x, e.g. '100 - x'"
                ) from error
    metric = config.get("metric") or operation
    weights, mixed = dict(config.get("weights") or {}), config.get("mixed", False)
    if not isinstance(mixed, bool):
        raise _wrong(f"mixed is True or False, not {mixed!r}", f"{place}.mixed", "")
    return Group(config["name"], subsets, operation, metric, weights, transforms, mixed)


def misspelt_members(groups: Sequence[Group], datasets: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """Index of the group, member, and the dataset of the run that is likely meant.

    Groups name many benchmarks that a run leaves out, with names like those it asks: what a group lacks is told where
    it has all its other members, or where no group has the dataset that is meant.
    """
    known = {*datasets, *(group.name for group in groups)}
    in_groups = {name for group in groups for name, _ in group.subsets}
    for index, group in enumerate(groups):
        members = {name for name, _ in group.subsets}
        unknown = sorted(members - known)
        choices = [name for name in datasets if name not in (members if len(unknown) == 1 else in_groups)]
        for member in unknown if len(unknown) < len(members) else ():
            for meant in closest(member, choices, 1, _LIKELY):
                yield index, member, meant


Table = Mapping[str, Mapping[str, float]]
"""Numbers of one model by dataset or group, and by metric."""


def compute_group(group: Group, values: Table, means: Mapping[str, Means] | None = None) -> GroupResult:
    """The group for one model; `values` are its metrics.

    `means` are those of them that are means over samples, of groups their parts.
    """
    lacking = [subset for subset in group.subsets if not _has(values, subset)]
    if not any(values.get(name) for name, _ in group.subsets):
        return GroupResult(is_absent=True, reason="none of its datasets has a score")
    if lacking:
        missing = [name if metric is None else f"{name}@{metric}" for name, metric in lacking]
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        return GroupResult(reason=f"missing metrics: {', '.join(missing[:_NAMED])}{more}")
    table = means or {}
    try:
        chosen = _chosen(group, values)
        metrics = {metric: _result(group, members, values) for metric, members in chosen.items()}
        parts = {metric: _parts(group, members, table) for metric, members in chosen.items()}
    except (ValueError, ZeroDivisionError) as error:
        return GroupResult(reason=str(error))
    mixtures = {
        metric: None if group.transforms else find_mixture(members, table) for metric, members in chosen.items()
    }
    refused = {
        metric: f"these metrics do not mix: {found.text} (mixed=True in the group computes it all the same)"
        for metric, found in mixtures.items()
        if found and not (group.mixed or (group.by_metric and not found.is_certain))
    }
    first = mixtures.get(group.metric)
    return GroupResult(
        metrics={metric: value for metric, value in metrics.items() if metric not in refused},
        parts={metric: terms for metric, terms in parts.items() if terms and metric not in refused},
        refused=refused,
        mixture=first.text if first and group.mixed else "",
    )


Chosen = Sequence[tuple[str, str]]
"""Dataset or group, and metric."""


def _chosen(group: Group, values: Table) -> dict[str, Chosen]:
    """What each metric of the group is made of."""
    if group.by_metric:
        return {group.metric: [(name, str(metric)) for name, metric in group.subsets]}
    first, *others = [values[name] for name, _ in group.subsets]
    chosen: dict[str, Chosen] = {group.metric: [(name, next(iter(values[name]))) for name, _ in group.subsets]}
    for metric in first:
        if metric not in chosen and all(metric in other for other in others):
            chosen[metric] = [(name, metric) for name, _ in group.subsets]
    return chosen


def _parts(group: Group, chosen: Chosen, means: Mapping[str, Means]) -> Parts | None:
    """The terms of a mean or a sum; what several members share is one term. None if a member has no known ones."""
    if group.transforms or group.operation not in ("naive_average", "weighted_average", "sum"):
        return None
    weighted = group.operation == "weighted_average"
    weights = [_weight(group, name, metric) if weighted else 1.0 for name, metric in chosen]
    total = 1.0 if group.operation == "sum" else fsum(weights)
    terms: dict[tuple[str, str], Term] = {}
    for member, weight in zip(chosen, weights, strict=True):
        name, metric = member
        found = means.get(name, {}).get(metric)
        if found is None:
            return None
        for key, term in ({member: Term(1.0, found)} if isinstance(found, Mean) else found).items():
            before = terms[key].weight if key in terms else 0.0
            terms[key] = Term(before + term.weight * weight / total, term.mean)
    return terms


def _result(group: Group, chosen: Chosen, values: Table) -> float:
    numbers = [_transformed(group, name, metric, values[name][metric]) for name, metric in chosen]
    match group.operation:
        case "standard_deviation":
            return pstdev(numbers)
        case "sum":
            return fsum(numbers)
        case "weighted_average":
            weights = [_weight(group, name, metric) for name, metric in chosen]
            return fsum(w * x for w, x in zip(weights, numbers, strict=True)) / fsum(weights)
        case "harmonic_mean":
            return _harmonic_mean(group, numbers)
        case _:
            return fmean(numbers)


def _harmonic_mean(group: Group, numbers: list[float]) -> float:
    if any(number <= 0 for number in numbers):
        _log.warning("group %s: values that are not positive count as 1 in the harmonic mean", group.name)
    return len(numbers) / fsum(1 / (number if number > 0 else max(number, 1.0)) for number in numbers)


def _transformed(group: Group, name: str, metric: str, value: float) -> float:
    expression = group.transforms.get(f"{name}@{metric}", group.transforms.get(name))
    return value if expression is None else evaluate_expression(str(expression), value)


def _weight(group: Group, name: str, metric: str) -> float:
    weight = group.weights.get(f"{name}@{metric}", group.weights.get(name))
    if weight is None:
        raise ValueError(f"weights has no entry for {name!r}")
    return float(weight)


def _has(values: Table, subset: Subset) -> bool:
    name, metric = subset
    return bool(values.get(name)) and (metric is None or metric in values[name])


def _operation(config: Mapping[str, Any]) -> str:
    flags = {"std": "standard_deviation", "sum": "sum", "weights": "weighted_average", "harmonic_mean": "harmonic_mean"}
    return next((operation for flag, operation in flags.items() if config.get(flag)), "naive_average")


def _subset(subset: Any, place: str) -> Subset:
    if isinstance(subset, str):
        return subset, None
    if isinstance(subset, list | tuple) and len(subset) == 2 and all(isinstance(part, str) for part in subset):
        return subset[0], subset[1]
    raise _wrong(f"a subset is a name or a [name, metric] pair, not {subset!r}", place, "")


def _wrong(message: str, key: str, remedy: str) -> UserError:
    return UserError(Finding(message, Place(key=key), remedy))
