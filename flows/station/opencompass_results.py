"""Results that OpenCompass put into a folder: they tell their configuration, but neither data nor scorers."""

from collections.abc import Mapping
from typing import Any, cast

from blocks.station.entry import Header, Identity
from flows.station.identity import recipe_of
from tasks.plan.run_plan import PairPlan
from tasks.spec.build import build_datasets, build_models
from tasks.spec.findings import Place
from tasks.spec.identity import model_identity
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.values import as_config


def foreign_differences(pair: PairPlan, wanted: Identity, header: Header, search_path: tuple[str, ...]) -> list[str]:
    """What of model, prompts and scoring is not that of the pair, as far as the stored configuration tells."""
    stored = header.config or {}
    models, _ = build_models(as_config({"models": _entries(stored.get("models"))}, Place()), search_path)
    datasets, _ = build_datasets(as_config({"datasets": _entries(stored.get("datasets"))}, Place()), search_path)
    if len(models) != 1 or len(datasets) != 1:
        return ["OpenCompass wrote it, and its configuration cannot be read"]
    [model], [dataset] = models, datasets
    same = {
        "the model's settings are others": model_identity(model) == wanted.model_identity,
        "prompts or inferencer are others": recipe_of(dataset) == wanted.recipe,
        "it was scored in another way": jsonable(dataset.eval_cfg) == jsonable(pair.dataset.eval_cfg),
        "other rows were asked": header.samples == pair.samples,
    }
    return [difference for difference, is_same in same.items() if not is_same]


def _entries(value: Any) -> list[dict[str, Any]]:
    """One configuration, or a list of them."""
    if isinstance(value, Mapping):
        return [dict(cast(Mapping[str, Any], value))]
    return (
        [dict(entry) for entry in cast(list[Any], value) if isinstance(entry, Mapping)]
        if isinstance(value, list)
        else []
    )
