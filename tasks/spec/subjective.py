"""Datasets without right answers: which keys say how they are judged, and which models are compared."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, get_args

from tasks.spec.checker import Checker
from tasks.spec.findings import Place, UserError, nearest
from tasks.spec.names.type_loading import written_type
from tasks.spec.signatures import key_place
from tasks.spec.specs import ComparisonMode, DatasetSpec, ModelSpec, Opponent, ShownOrder, SubjectiveSpec
from tasks.spec.values import ConfigDict

SUBJECTIVE_KEYS = ("mode", "infer_order", "base_models", "given_pred", "summarizer")
"""Keys of such a dataset that its loader does not get."""
_MODES: tuple[str, ...] = get_args(ComparisonMode)
_ORDERS: tuple[str, ...] = get_args(ShownOrder)
_EVALUATOR = "LMEvaluator"


def is_subjective(config: ConfigDict) -> bool:
    """Whether the dataset is judged: it says so by its `mode`, or by its evaluator."""
    if config.get("mode") in (*_MODES, "fixed"):
        return True
    evaluator = _dict(_dict(config.get("eval_cfg")).get("evaluator"))
    try:
        return written_type(evaluator.get("type", "")).rpartition(".")[2] == _EVALUATOR
    except UserError:
        return False


def subjective_spec(config: ConfigDict, path: str, checker: Checker) -> SubjectiveSpec:
    """How the dataset is judged, as its own entry says; `path` is the key of the entry."""
    mode = config.get("mode", "singlescore")
    if mode not in _MODES:
        checker.add(f"there is no mode {mode!r}", key_place(config, "mode", path), nearest(str(mode), _MODES))
        mode = "singlescore"
    order = config.get("infer_order")
    if order not in (None, *_ORDERS):
        place = key_place(config, "infer_order", path)
        checker.add(f"there is no infer_order {order!r}", place, nearest(str(order), _ORDERS))
        order = None
    return SubjectiveSpec(
        mode=mode,
        infer_order=order,
        base_models=tuple(_abbrs(config.get("base_models"))),
        given=dict(_given(config, path, checker)),
        summarizer=checker.nested(config, "summarizer", Place(key=path)) if config.get("summarizer") else None,
    )


def without_subjective_keys(config: ConfigDict) -> ConfigDict:
    """What is left for the loader and all other parts."""
    rest = {key: value for key, value in config.items() if key not in SUBJECTIVE_KEYS}
    return ConfigDict.placed(rest, config.place, config.lines)


def with_partitioner(dataset: DatasetSpec, arguments: Mapping[str, Any]) -> DatasetSpec:
    """The dataset with what a subjective partitioner adds: judges, models, and an order where it has none."""
    spec = dataset.subjective
    if spec is None:
        return dataset
    compared = arguments.get("compare_models") or arguments.get("models")
    changes: dict[str, Any] = {
        "judges": tuple(arguments.get("judge_models") or ()),
        "meta_judge": arguments.get("meta_judge_model"),
        "base_models": spec.base_models or tuple(_abbrs(arguments.get("base_models"))),
        "model_pairs": tuple(tuple(_abbrs(pair)) for pair in arguments.get("model_pairs") or ()),
        "infer_order": spec.infer_order or arguments.get("infer_order"),
    }
    if compared:
        bases = changes["base_models"]
        changes["compare_models"] = tuple(abbr for abbr in _abbrs(compared) if abbr not in bases)
    return dataset.model_copy(update={"subjective": spec.model_copy(update=changes)})


def for_model(dataset: DatasetSpec, abbr: str, models: Sequence[ModelSpec]) -> DatasetSpec:
    """The dataset with the opponents that this one of the run's models has."""
    spec = dataset.subjective
    if spec is None:
        return dataset
    known = {model.abbr: model for model in models}
    opponents = tuple(
        Opponent(abbr=name, model=None if name in spec.given else known.get(name), given=spec.given.get(name))
        for name in _opponents(spec, abbr, list(known))
    )
    return dataset.model_copy(update={"subjective": spec.model_copy(update={"opponents": opponents})})


def is_judged(dataset: DatasetSpec, abbr: str) -> bool:
    """Whether the model gets a score: base models do not, nor do models that are left out of the comparison."""
    spec = dataset.subjective
    if spec is None:
        return True
    if spec.model_pairs:
        return any(compared == abbr for _, compared in spec.model_pairs)
    return abbr in spec.compare_models if spec.compare_models is not None else abbr not in spec.base_models


def shares_verdicts(dataset: DatasetSpec) -> bool:
    """Whether every model is compared with every other, so that two of them ask for the same verdicts."""
    spec = dataset.subjective
    return spec is not None and spec.mode == "allpair" and not spec.model_pairs


def _opponents(spec: SubjectiveSpec, abbr: str, models: Sequence[str]) -> Iterator[str]:
    if spec.model_pairs:
        yield from (base for base, compared in spec.model_pairs if compared == abbr)
    elif spec.mode == "m2n":
        yield from (base for base in spec.base_models if base != abbr)
    elif spec.mode == "allpair":
        compared = spec.compare_models if spec.compare_models is not None else models
        yield from (model for model in compared if model != abbr)


def _given(config: ConfigDict, path: str, checker: Checker) -> Iterator[tuple[str, str]]:
    given: Any = config.get("given_pred") or []
    for entry in cast(list[Any], given if isinstance(given, list | tuple) else [given]):
        if {"abbr", "path"} <= set(_dict(entry)):
            yield str(entry["abbr"]), str(entry["path"])
        else:
            place = key_place(config, "given_pred", path)
            checker.add("given_pred is a list of dict(abbr=…, path=…)", place)


def _abbrs(models: Any) -> Iterator[str]:
    """Abbreviations of models, which are written as such or as whole entries."""
    for model in cast(Sequence[Any], models or ()):
        entry = _dict(model)
        yield str(entry.get("abbr") or entry.get("path")) if entry else str(model)


def _dict(value: Any) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}
