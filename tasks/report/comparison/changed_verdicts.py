"""Which samples two runs judge differently."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.report.sample_details import SampleKey, sample_details
from tasks.report.sample_values import NoSampleValues, read_values, shared_rows
from tasks.report.stats.paired import PairedComparison, compare
from tasks.spec.storage.run_folder import Pair, RunFolder


@dataclass(frozen=True)
class Flip:
    """A sample that is right in one run and wrong in the other."""

    key: SampleKey
    became_right: bool
    """In the second run."""
    reference: Any
    first: Mapping[str, Any]
    """What scoring says of it in the first run."""
    second: Mapping[str, Any]


@dataclass(frozen=True)
class PairDiff:
    """One pair of the first run and its counterpart in the second."""

    first: Pair
    second: Pair
    comparison: PairedComparison | None
    """Of the first metric of the first, over the rows that both have; None where the files do not tell it."""
    metric: str
    scale: float
    """The metric is a mean of values times this: 1 or 100."""
    changed: int
    """Rows whose references differ, which are left out."""
    flips: tuple[Flip, ...]
    reason: str = ""
    """Why there is no comparison."""


def diff_pairs(
    first: RunFolder, second: RunFolder, models: tuple[str, str] | None = None
) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of the same dataset and model in both runs; `models` names the two where their names differ.

    Where each run has one model only, those are compared. Names are those of files.
    """
    here, there = _pairs(first), _pairs(second)
    if models is None and len({pair.model for pair in here}) == 1 and len({pair.model for pair in there}) == 1:
        models = (here[0].model, there[0].model)
    for pair in here:
        if models is not None and pair.model != models[0]:
            continue
        counterpart = Pair(models[1] if models else pair.model, pair.dataset)
        if counterpart in there:
            yield pair, counterpart


def pair_diff(first: RunFolder, second: RunFolder, pair: Pair, counterpart: Pair) -> PairDiff:
    """Compares the pair with its counterpart, as far as their results can be read."""
    flips: tuple[Flip, ...] = ()
    try:
        flips = tuple(_flips(first, second, pair, counterpart))
        values = read_values(first, pair)
        others = read_values(second, counterpart, values.metric)
    except NoSampleValues as error:
        return PairDiff(pair, counterpart, None, "", 1.0, 0, flips, str(error))
    except (OSError, ValueError) as error:
        return PairDiff(pair, counterpart, None, "", 1.0, 0, flips, f"its results cannot be read: {error}")
    rows = shared_rows(values, others)
    if not rows.first:
        return PairDiff(pair, counterpart, None, values.metric, values.scale, rows.changed, flips, "no row in common")
    comparison = compare(rows.first, rows.second)
    return PairDiff(pair, counterpart, comparison, values.metric, values.scale, rows.changed, flips)


def _flips(first: RunFolder, second: RunFolder, pair: Pair, counterpart: Pair) -> Iterator[Flip]:
    """In the order of the first run; memory holds the verdicts of one run and the flipped samples."""
    verdicts = {d.key: d.verdict for d in sample_details(second.results(counterpart), counterpart.dataset)}
    before = {
        detail.key: detail
        for detail in sample_details(first.results(pair), pair.dataset)
        if detail.verdict is not None and verdicts.get(detail.key) not in (None, detail.verdict)
    }
    after = {d.key: d for d in sample_details(second.results(counterpart), counterpart.dataset) if d.key in before}
    for key, detail in before.items():
        reference, other = detail.fields.get("answer"), after[key]
        if str(reference) == str(other.fields.get("answer")):
            yield Flip(key, not detail.verdict, reference, detail.fields, other.fields)


def _pairs(folder: RunFolder) -> list[Pair]:
    return [Pair(path.parent.name, path.stem) for path in folder.scored()]
