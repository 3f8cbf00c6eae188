"""The planning of subjective datasets: which comparisons one task takes, and what can be known to go wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from tasks.data.paths import find_data_path
from tasks.plan.run_plan import PairPlan
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.judge_specs import judges_of
from tasks.spec.specs import DatasetSpec, Opponent, SubjectiveSpec
from tasks.spec.storage.run_folder import Pair
from tasks.spec.subjective import is_judged, shares_verdicts

_EVALUATOR = "tasks.score.subjective.lm_evaluator.LMEvaluator"


def judged_together(batches: Sequence[tuple[Pair, ...]], datasets: Sequence[DatasetSpec]) -> list[tuple[Pair, ...]]:
    """Batches of which no two compare the same two models.

    Where every model is compared with every other, both ask for the same verdicts: the second one scored finds them.
    """
    shared = {dataset.abbr for dataset in datasets if shares_verdicts(dataset)}
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


def questions_per_sample(dataset: DatasetSpec, abbr: str) -> int:
    """How many verdicts a judge gives on one answer of the model; those on two models count for one of them."""
    spec = dataset.subjective
    if spec is None:
        return 1
    if not is_judged(dataset, abbr):
        return 0
    contests = sum(not shares_verdicts(dataset) or abbr < opponent.abbr for opponent in spec.opponents)
    orders = 2 if spec.infer_order == "double" else 1
    turns = len(_templates(dataset))
    return turns if spec.mode == "singlescore" and not spec.opponents else turns * orders * contests


def _findings(pairs: Sequence[PairPlan]) -> Iterator[Finding]:
    dataset = pairs[0].dataset
    spec = dataset.subjective
    assert spec is not None
    yield from _judging_findings(dataset)
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


def _judging_findings(dataset: DatasetSpec) -> Iterator[Finding]:
    """What is missing to ask judges and to count what they say."""
    spec, evaluator = dataset.subjective, dataset.eval_cfg.get("evaluator") or {}
    if spec is None or evaluator.get("type") != _EVALUATOR:
        return
    place = place_in(dataset, "eval_cfg.evaluator")
    if not evaluator.get("dict_postprocessor"):
        yield Finding(f"{dataset.abbr}: nothing makes scores of verdicts", place, "add dict_postprocessor=dict(type=…)")
    if spec.meta_judge and not evaluator.get("meta_review_prompt_template"):
        remedy = "add meta_review_prompt_template=dict(…) with {judgement} in it"
        yield Finding(f"{dataset.abbr}: nothing says what the meta judge is asked", place, remedy)
    with suppress(UserError):  # a judge that is not known is told among other findings
        judges = Counter(judge.abbr for judge in judges_of(dataset))
        for name in (name for name, times in judges.items() if times > 1):
            yield Finding(f"{dataset.abbr}: two judges are called {name!r}", place, "give each an abbr of its own")
    if _compares_judges_or_rates_models(spec, evaluator) and find_spec("sklearn") is None:
        message = f"{dataset.abbr}: agreement of judges and ratings of models need the package scikit-learn"
        yield Finding(message, place, "pip install 'compass-llm-eval[score]'", FindingKind.MACHINE)
    needed = ["{prediction"] if spec.mode == "singlescore" and not spec.model_pairs else ["{prediction", "{prediction2"]
    for template in _templates(dataset):
        for name in needed:
            if f"{name}}}" not in str(template) and f"{name}_r" not in str(template):
                message = f"{dataset.abbr}: the judge's prompt does not show the {'second ' * name.endswith('2')}answer"
                yield Finding(message, place, f"write {name}}} where it goes")


def _compares_judges_or_rates_models(spec: SubjectiveSpec, evaluator: Mapping[str, Any]) -> bool:
    judges = spec.judges or evaluator.get("judge_cfg") or ()
    named = f"{evaluator.get('dict_postprocessor')} {spec.summarizer}"
    several = isinstance(judges, list | tuple) and len(judges) > 1
    return several or spec.meta_judge is not None or "bradleyterry" in named or "ArenaHardSummarizer" in named


def _templates(dataset: DatasetSpec) -> Sequence[Any]:
    """The judge's prompts, one for each turn that is judged."""
    template = (dataset.eval_cfg.get("evaluator") or {}).get("prompt_template")
    return template if isinstance(template, list) and template else [template]
