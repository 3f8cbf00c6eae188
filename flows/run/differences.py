"""What of a reused run is different now: answers of another model or prompt are never taken, and it is said."""

from collections.abc import Iterable, Mapping
from typing import Any

from tasks.plan.run_plan import RunPlan
from tasks.spec.identity import endpoint_identity, model_identity, recipe_identity
from tasks.spec.judge_specs import judges_of
from tasks.spec.storage.canonical import digest

_SAID = {
    "models": "the settings of the model {name} are not those of the earlier run: all is asked again, the answers of "
    "the other model stay",
    "judges": "the settings of the judge {name} are not those of the earlier run: it is asked about everything again",
    "endpoints": "the model {name} is asked at another address now; answers from the earlier one are kept",
    "recipes": "the prompt or the inferencer of {name} is not that of the earlier run: what is asked as before keeps "
    "its answers, all else is asked",
    "data": "the data of {name} have changed since the earlier run: rows that are the same keep their answers, all "
    "others are asked",
}


def identities(plan: RunPlan) -> dict[str, dict[str, str]]:
    """What answers and scores depend on, by kind and name, as `run.json` keeps it."""
    data = {pair.dataset.abbr: pair.data.fingerprint for pair in plan.pairs if pair.data is not None}
    scored = {"judges": _judges(plan)} if plan.runs("eval") else {}
    if not plan.runs("infer"):
        return {"data": data, **scored}
    return {
        **scored,
        "models": {model.abbr: model_identity(model) for model in plan.models},
        "endpoints": {model.abbr: endpoint_identity(model) for model in plan.models},
        "recipes": {dataset.abbr: recipe_identity(dataset) for dataset in plan.datasets},
        "data": data,
    }


def changes(now: Mapping[str, Mapping[str, str]], earlier: Iterable[Mapping[str, Any]]) -> list[str]:
    """One sentence for each name whose identity is not that of the newest of the earlier invocations that has it."""
    newest_first = list(earlier)[::-1]
    found: list[str] = []
    for kind, names in now.items():
        for name, identity in names.items():
            before = next((i[kind][name] for i in newest_first if name in i.get(kind, {})), identity)
            if before != identity:
                found.append(_SAID[kind].format(name=name))
    return found


def _judges(plan: RunPlan) -> dict[str, str]:
    """Several judges may have one name, each for datasets of its own."""
    found: dict[str, set[str]] = {}
    for dataset in plan.datasets:
        for judge in judges_of(dataset):
            found.setdefault(judge.abbr, set()).add(model_identity(judge))
    return {name: digest(sorted(judges)) for name, judges in found.items()}
