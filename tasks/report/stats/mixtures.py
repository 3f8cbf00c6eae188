"""Which metrics of a group are not one kind of number."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tasks.report.stats.weighted_sums import Mean, Term

Parts = Mapping[tuple[str, str], Term]
"""The terms of a group's number, by dataset and metric."""
Means = Mapping[str, Mean | Parts]
"""The metrics of a dataset that are means over samples, and those of a group whose parts all are."""
_NAMED = 5
"""Datasets of a metric that are named."""


class Mixture(NamedTuple):
    """Different metrics of one group."""

    text: str
    """Names them and their datasets."""
    is_certain: bool
    """Whether their scales are known to differ; otherwise only their names do."""


def find_mixture(members: Sequence[tuple[str, str]], means: Mapping[str, Means]) -> Mixture | None:
    """The mixture of these datasets' (or earlier groups') metrics; None if they are one kind of number.

    Metrics of one name are one kind, and so are all shares of right answers, unless their scales differ. The average of
    repeats is the metric that it averages.
    """
    datasets: dict[tuple[str, float | None], list[str]] = {}
    scales: set[float] = set()
    are_shares = True
    for name, metric in members:
        parts = _parts(means.get(name, {}).get(metric))
        tops = {part.top for part in parts}
        top = tops.pop() if len(tops) == 1 else None
        scales |= {top} if top is not None else set()
        are_shares = are_shares and top is not None and all(part.is_share for part in parts)
        datasets.setdefault((metric.partition(" (")[0], top), []).append(name)
    differ = len(scales) > 1
    if not differ and (are_shares or len({metric for metric, _ in datasets}) == 1):
        return None
    named: dict[str, list[str]] = {}
    for (metric, top), names in datasets.items():
        scale = f" (0 to {top:g})" if differ and top is not None else ""
        named.setdefault(f"{metric}{scale}", []).extend(names)
    return Mixture("; ".join(f"{metric} of {_shortened(names)}" for metric, names in named.items()), differ)


def _parts(found: Mean | Parts | None) -> list[Mean]:
    if found is None:
        return []
    return [found] if isinstance(found, Mean) else [term.mean for term in found.values()]


def _shortened(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    return shown if len(names) <= _NAMED else f"{shown} and {len(names) - _NAMED} more"
