"""The value of every sample of a pair under one metric, by what identifies the sample in other runs too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from statistics import fmean
from typing import Any

from tasks.report.result_metrics import numeric_metrics
from tasks.report.sample_details import SampleDetail, SampleKey, sample_details
from tasks.score.files.results import read_results
from tasks.score.metrics.standard_error import scale_of_mean
from tasks.spec.storage.run_folder import Pair, RunFolder


class NoSampleValues(ValueError):
    """The metric of a pair cannot be told sample by sample; says why."""


@dataclass(frozen=True)
class SampleValues:
    """One metric, sample by sample."""

    pair: Pair
    metric: str
    """As the results file names it."""
    scale: float
    """The metric is the mean of the values times this: 1 or 100."""
    values: Mapping[SampleKey, float]
    """0 or 1 for verdicts; samples that do not count are missing."""
    references: Mapping[str, bytes]
    """A digest of each row's reference."""

    @cached_property
    def rows(self) -> dict[str, float]:
        """The mean of each row's repeats."""
        repeats: dict[str, list[float]] = {}
        for key, value in self.values.items():
            repeats.setdefault(key.row, []).append(value)
        return {row: fmean(values) for row, values in repeats.items()}

    def restricted(self, belongs: Callable[[str], bool]) -> "SampleValues":
        """Those of the rows that belong."""
        return replace(self, values={key: value for key, value in self.values.items() if belongs(key.row)})

    @property
    def clusters(self) -> list[str]:
        """The row of each value, in their order."""
        return [key.row for key in self.values]


@dataclass(frozen=True)
class SharedRows:
    """The rows of two pairs that are the same question."""

    first: Mapping[str, float]
    second: Mapping[str, float]
    changed: int
    """Rows of one name whose references differ, which are left out: the data changed between the runs."""


def read_values(folder: RunFolder, pair: Pair, metric: str | None = None) -> SampleValues:
    """The values of the metric, by default the pair's first; NoSampleValues if the file does not tell them.

    OSError or ValueError if the results cannot be read.
    """
    path = folder.results(pair)
    if not path.is_file():
        raise NoSampleValues(f"{pair.model} / {pair.dataset} has no results")
    metrics = numeric_metrics(read_results(path))
    details = list(sample_details(path, pair.dataset))
    if not details:
        raise NoSampleValues(f"the results of {pair.model} / {pair.dataset} keep no details: score it with them")
    for name in [metric] if metric else metrics:
        found = _values(name, metrics, details)
        if found is not None:
            scale, values = found
            return SampleValues(pair, name, scale, values, _references(details))
    told = f"{metric!r}" if metric else f"any of {', '.join(metrics) or 'its metrics'}"
    raise NoSampleValues(f"{pair.model} / {pair.dataset}: {told} is no mean over samples")


def shared_rows(first: SampleValues, second: SampleValues) -> SharedRows:
    """The rows that both have, as `tasks.report.stats.paired.compare` takes them."""
    rows, others = first.rows, second.rows
    common = [row for row in rows if row in others]
    same = [row for row in common if first.references.get(row) == second.references.get(row)]
    changed = len(common) - len(same)
    return SharedRows({row: rows[row] for row in same}, {row: others[row] for row in same}, changed)


def _values(
    name: str, metrics: Mapping[str, float], details: Sequence[SampleDetail]
) -> tuple[float, dict[SampleKey, float]] | None:
    """From the column of that name if there is one, else from the verdicts if the metric is their mean."""
    if name not in metrics:
        return None
    plain = name.partition(" (")[0]
    own = {d.key: value for d in details if (value := d.fields.get(plain)) is not None}
    numbers = {key: float(value) for key, value in own.items() if isinstance(value, bool | int | float)}
    verdicts = {d.key: float(d.verdict) for d in details if d.verdict is not None}
    for values in (numbers if len(numbers) == len(own) else {}, verdicts):
        scale = scale_of_mean(metrics[name], _repeat_means(values)) if values else None
        if scale is not None:
            return scale, values
    return None


def _repeat_means(values: Mapping[SampleKey, float]) -> list[float]:
    """A metric of several repeats is the mean of their means."""
    repeats: dict[int, list[float]] = {}
    for key, value in values.items():
        repeats.setdefault(key.repeat, []).append(value)
    return [fmean(repeat) for repeat in repeats.values()]


def _references(details: Sequence[SampleDetail]) -> dict[str, bytes]:
    return {detail.key.row: _digest(detail.fields.get("answer")) for detail in details}


def _digest(reference: Any) -> bytes:
    return blake2b(str(reference).encode("utf-8", "backslashreplace"), digest_size=8).digest()
