"""The planning of subjective datasets: which comparisons one task takes, and what can be known to go wrong."""

from collections.abc import Iterator, Sequence

from tasks.data.paths import find_data_path
from tasks.plan.run_plan import PairPlan
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.placing import place_in
from tasks.spec.run_folder import Pair
from tasks.spec.specs import DatasetSpec, Opponent
from tasks.spec.subjective import is_judged


def judged_together(batches: Sequence[tuple[Pair, ...]], datasets: Sequence[DatasetSpec]) -> list[tuple[Pair, ...]]:
    """Batches of which no two compare the same two models.

    Where every model is compared with every other, both ask for the same verdicts: the second one scored finds them.
    """
    shared = {dataset.abbr for dataset in datasets if dataset.subjective and dataset.subjective.mode == "allpair"}
    merged: list[tuple[Pair, ...]] = []
    for batch in batches:
        own = {pair.dataset for pair in batch} & shared
        place = next((i for i, other in enumerate(merged) if own & {pair.dataset for pair in other}), None)
        if place is None:
            merged.append(batch)
        else:
            merged[place] += batch
    return merged


def check_subjective(pairs: Sequence[PairPlan]) -> list[Finding]:
    """Datasets whose comparisons cannot be made, each once."""
    by_dataset: dict[str, list[PairPlan]] = {}
    for pair in pairs:
        if pair.dataset.subjective:
            by_dataset.setdefault(pair.dataset.abbr, []).append(pair)
    return [finding for found in by_dataset.values() for finding in _findings(found)]


def _findings(pairs: Sequence[PairPlan]) -> Iterator[Finding]:
    dataset = pairs[0].dataset
    spec = dataset.subjective
    assert spec is not None
    models = {pair.model.abbr for pair in pairs}
    judged = [pair for pair in pairs if is_judged(pair.dataset, pair.model.abbr)]
    if spec.mode == "m2n" and not spec.base_models and not spec.model_pairs:
        remedy = "add base_models=[…] to it, or to a subjective partitioner in eval"
        yield Finding(
            f"{dataset.abbr}: mode 'm2n' compares with base models, and there are none", dataset.place, remedy
        )
        return
    if spec.mode == "allpair" and len(judged) < 2:
        message = f"{dataset.abbr}: mode 'allpair' compares at least two models, and there is {len(judged)}"
        yield Finding(message, dataset.place, "add models")
    elif not judged:
        message = f"{dataset.abbr}: none of the run's models is judged"
        yield Finding(message, dataset.place, "add models besides the base models")
    names = dict.fromkeys(opponent.abbr for pair in judged for opponent in _opponents(pair.dataset))
    for name in names:
        if name not in spec.given and name not in models:
            remedy = f"add it to models, or given_pred=[dict(abbr={name!r}, path=…)] to the dataset"
            yield Finding(f"{dataset.abbr}: nobody says what {name} answers", place_in(dataset, "base_models"), remedy)
    for name, path in spec.given.items():
        if name in names and find_data_path(path) is None:
            message = f"{dataset.abbr}: there are no answers of {name} at {path}"
            yield Finding(message, place_in(dataset, "given_pred"), "put them there", FindingKind.MACHINE)


def _opponents(dataset: DatasetSpec) -> tuple[Opponent, ...]:
    return dataset.subjective.opponents if dataset.subjective else ()
