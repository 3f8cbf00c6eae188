"""Compares models, of one run or of several, dataset by dataset on the samples that they share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from tasks.report.result_metrics import numeric_metrics
from tasks.report.sample_values import NoSampleValues, SampleValues, read_values, shared_rows
from tasks.report.stats.multiple_comparisons import Rank, holm, ranks
from tasks.report.stats.paired import PairedComparison, compare, compare_groups
from tasks.score.files.results import read_results
from tasks.spec.storage.run_folder import Pair, RunFolder


class Contestant(NamedTuple):
    """One model of one run."""

    name: str
    """The model's, with that of the run where several runs have it, or that alone where there is no other model."""
    folder: RunFolder
    model: str
    """As its folder is named."""


@dataclass(frozen=True)
class DatasetScores:
    """What all contestants have on one dataset."""

    dataset: str
    metric: str
    scores: Mapping[str, float]
    """By contestant, over all of its own samples, in the metric's unit."""
    values: Mapping[str, SampleValues]
    """Of those contestants whose results tell the metric sample by sample."""
    ranks: Mapping[str, Rank] = field(default_factory=dict[str, Rank])
    notes: tuple[str, ...] = ()
    """Why a contestant is not compared, and rows that are not the same question in both runs."""


class Difference(NamedTuple):
    """One contestant against the baseline, on a dataset or on the mean of several."""

    dataset: str
    metric: str
    contestant: str
    scale: float
    """The comparison's numbers times this are in the metric's unit."""
    comparison: PairedComparison
    adjusted: float
    """The p-value, corrected for all comparisons of its kind by Holm's method."""


@dataclass(frozen=True)
class Comparison:
    """All that is compared."""

    contestants: tuple[str, ...]
    datasets: tuple[DatasetScores, ...]
    baseline: str
    differences: tuple[Difference, ...]
    """Against the baseline, dataset by dataset."""
    means: tuple[Difference, ...]
    """Against the baseline, on the plain mean over all shared datasets of each metric, and of each pattern."""


def contestants(roots: Sequence[Path], model: str = "*") -> list[Contestant]:
    """The models of the runs that match the pattern, run by run."""
    found = [
        (name, root)
        for root in roots
        for name in dict.fromkeys(path.parent.name for path in RunFolder(root).scored())
        if fnmatchcase(name, model)
    ]
    names = [name for name, _ in found]
    labels = _labels(roots)

    def shown(name: str, root: Path) -> str:
        if names.count(name) == 1:
            return name
        return f"{name} @ {labels[root]}" if len(set(names)) > 1 else labels[root]

    return [Contestant(shown(name, root), RunFolder(root), name) for name, root in found]


def compare_contestants(
    entrants: Sequence[Contestant],
    *,
    dataset: str = "*",
    metric: str | None = None,
    baseline: str | None = None,
    groups: Sequence[str] = (),
) -> Comparison:
    """Compares on each dataset that matches the pattern and that two of them have.

    `metric` stands in place of the first that all have; `groups` are patterns of datasets to average. ValueError for
    a baseline that is none of them.
    """
    names = tuple(entrant.name for entrant in entrants)
    first = baseline or (names[0] if names else "")
    if baseline is not None and baseline not in names:
        raise ValueError(f"there is no {baseline!r}; there are {', '.join(names)}")
    scored = [
        found for name in _datasets(entrants, dataset) if (found := _dataset_scores(name, entrants, metric)) is not None
    ]
    differences = [
        difference
        for found in scored
        for other in names
        if (difference := _difference(found, first, other)) is not None
    ]
    means = [mean for other in names if other != first for mean in _means(scored, first, other, groups)]
    return Comparison(names, tuple(scored), first, _corrected(differences), _corrected(means))


def wins(comparison: Comparison) -> dict[str, tuple[int, int]]:
    """By contestant: datasets on which nobody is better beyond chance, and on which it alone is so."""
    first = dict.fromkeys(comparison.contestants, 0)
    alone = dict(first)
    for found in comparison.datasets:
        leaders = [name for name, rank in found.ranks.items() if rank.rank == 1] if len(found.ranks) > 1 else []
        for name in leaders:
            first[name] += 1
            alone[name] += len(leaders) == 1
    return {name: (first[name], alone[name]) for name in first}


def mean_scores(comparison: Comparison, pattern: str = "*") -> dict[str, dict[str, float]]:
    """Plain means by metric and contestant, over the datasets that all contestants have; different metrics apart."""
    metrics: dict[str, list[DatasetScores]] = {}
    for found in comparison.datasets:
        if len(found.scores) == len(comparison.contestants) and fnmatchcase(found.dataset, pattern):
            metrics.setdefault(found.metric, []).append(found)
    return {
        metric: {name: fmean(found.scores[name] for found in members) for name in comparison.contestants}
        for metric, members in metrics.items()
        if len(members) > 1
    }


def _labels(roots: Sequence[Path]) -> dict[Path, str]:
    """Names of run folders, or whole paths where two have one name."""
    plain = [root.name for root in roots]
    return {root: root.name if plain.count(root.name) == 1 else str(root) for root in roots}


def _datasets(entrants: Sequence[Contestant], pattern: str) -> list[str]:
    """Those that at least two contestants have results of, in order of first sight."""
    count: dict[str, int] = {}
    for entrant in entrants:
        for path in entrant.folder.scored(entrant.model):
            if fnmatchcase(path.stem, pattern):
                count[path.stem] = count.get(path.stem, 0) + 1
    return [name for name, holders in count.items() if holders > 1]


def _dataset_scores(dataset: str, entrants: Sequence[Contestant], metric: str | None) -> DatasetScores | None:
    metrics: dict[str, dict[str, float]] = {}
    notes: list[str] = []
    for entrant in entrants:
        path = entrant.folder.results(Pair(entrant.model, dataset))
        try:
            metrics[entrant.name] = numeric_metrics(read_results(path)) if path.is_file() else {}
        except (OSError, ValueError) as error:
            notes.append(f"{entrant.name}: the results file cannot be read: {error}")
    having = [found for found in metrics.values() if found]
    common = [name for name in (having[0] if having else {}) if all(name in found for found in having)]
    chosen = metric or next(iter(common), None)
    scores = {name: found[chosen] for name, found in metrics.items() if chosen and chosen in found}
    if chosen is None or len(scores) < 2:
        return None
    values: dict[str, SampleValues] = {}
    for entrant in entrants:
        if entrant.name in scores:
            try:
                values[entrant.name] = read_values(entrant.folder, Pair(entrant.model, dataset), chosen)
            except NoSampleValues as error:
                notes.append(str(error))
    notes += _changed(values)
    rows = {name: found.rows for name, found in _same_questions(values).items()}
    return DatasetScores(dataset, chosen, scores, values, {r.name: r for r in ranks(rows)}, tuple(notes))


def _changed(values: Mapping[str, SampleValues]) -> Iterator[str]:
    for first, second in pairwise(values):
        changed = shared_rows(values[first], values[second]).changed
        if changed:
            yield f"{first}, {second}: {changed} rows have other references and are left out"


def _same_questions(values: Mapping[str, SampleValues]) -> dict[str, SampleValues]:
    """The values without rows whose reference is another one in the first run that has them."""
    known: dict[str, bytes] = {}
    for found in values.values():
        for row, digest in found.references.items():
            known.setdefault(row, digest)
    return {
        name: found.restricted(lambda row, f=found: f.references.get(row) == known.get(row))
        for name, found in values.items()
    }


def _difference(found: DatasetScores, first: str, other: str) -> Difference | None:
    if other == first or first not in found.values or other not in found.values:
        return None
    one, two = found.values[first], found.values[other]
    rows = shared_rows(one, two)
    if not rows.first:
        return None
    return Difference(found.dataset, found.metric, other, one.scale, compare(rows.first, rows.second), 1.0)


def _means(scored: Sequence[DatasetScores], first: str, other: str, patterns: Sequence[str]) -> Iterator[Difference]:
    """Datasets of one metric are averaged; those of different metrics never."""
    shared = [found for found in scored if first in found.values and other in found.values]
    named: dict[str, Callable[[DatasetScores], bool]] = {"all": lambda _: True}
    named |= {pattern: (lambda found, p=pattern: fnmatchcase(found.dataset, p)) for pattern in patterns}
    for name, belongs in named.items():
        metrics: dict[tuple[str, float], list[DatasetScores]] = {}
        for found in filter(belongs, shared):
            metrics.setdefault((found.metric, found.values[first].scale), []).append(found)
        for (metric, scale), members in metrics.items():
            pairs = [shared_rows(found.values[first], found.values[other]) for found in members]
            pairs = [rows for rows in pairs if rows.first]
            if len(pairs) > 1:
                comparison = compare_groups([(rows.first, rows.second) for rows in pairs])
                yield Difference(f"mean of {len(pairs)} ({name})", metric, other, scale, comparison, 1.0)


def _corrected(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    adjusted = holm([difference.comparison.p_value for difference in differences])
    return tuple(d._replace(adjusted=p) for d, p in zip(differences, adjusted, strict=True))
