"""From the dicts of a configuration to checked specs of models and datasets."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from tasks.spec.checker import MODEL_KEYS, CheckedComponent, Checker
from tasks.spec.findings import Finding, FindingKind, Place, UserError, closest, did_you_mean, nearest, problem_text
from tasks.spec.names.key_names import key_name
from tasks.spec.names.type_loading import written_type
from tasks.spec.names.type_table import entry_of
from tasks.spec.prompt_hash import prompt_version
from tasks.spec.signatures import key_place
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec, Spec
from tasks.spec.storage.run_folder import safe_name
from tasks.spec.subjective import is_subjective, subjective_spec, without_subjective_keys
from tasks.spec.values import ConfigDict, as_config

_S = TypeVar("_S", bound=Spec)
_INFER_KEYS = ("prompt_template", "ice_template", "retriever", "inferencer")
_EVAL_KEYS = (
    "evaluator",
    "pred_role",
    "pred_postprocessor",
    "dataset_postprocessor",
    "model_postprocessor",
    "sc_size",
    "num_gpus",
)


_WITHOUT_EFFECT = {
    "infer_cfg": ("max_out_len",),
    "eval_cfg": ("k", "ds_column", "ds_split", "analyze_contamination"),
}
"""Keys that configurations of OpenCompass carry although nothing reads them there either."""


class _Resources(Spec):
    """What `run_cfg` can hold."""

    num_gpus: int = 0
    num_procs: int = 1


def build_models(
    values: ConfigDict, search_path: Sequence[str | Path] = (), *, prefer_theirs: bool = False
) -> tuple[list[ModelSpec], list[Finding]]:
    """The entries of `models`, checked; an entry whose type cannot be resolved is missing and has findings."""
    checker = Checker(search_path, prefer_theirs)
    specs = [spec for config, place in _entries(values, "models", checker) if (spec := _model(config, place, checker))]
    _check_unique(specs, checker)
    return specs, checker.distinct()


def build_datasets(
    values: ConfigDict, search_path: Sequence[str | Path] = (), *, prefer_theirs: bool = False
) -> tuple[list[DatasetSpec], list[Finding]]:
    """The entries of `datasets`, checked; an entry that cannot be used is missing and has findings."""
    checker = Checker(search_path, prefer_theirs)
    entries = _entries(values, "datasets", checker)
    specs = [spec for config, place in entries if (spec := _dataset(config, place, checker))]
    _check_unique(specs, checker)
    return specs, checker.distinct()


def model_abbr(model: ConfigDict) -> str | None:
    """The model's abbreviation: `abbr`, else its type and the last two parts of its path."""
    abbr, path = model.get("abbr"), model.get("path")
    if abbr is not None or not isinstance(path, str) or "type" not in model:
        return abbr
    folder = Path(path)
    parts = (folder.resolve() if folder.exists() else folder).parts[-2:]
    try:
        return "_".join([key_name(written_type(model["type"])), *parts]).replace("/", "_")
    except UserError:
        return None


def dataset_abbr(dataset: ConfigDict) -> str | None:
    """The dataset's abbreviation: `abbr`, else its path and name."""
    abbr, path, name = dataset.get("abbr"), dataset.get("path"), dataset.get("name")
    if abbr is not None or not isinstance(path, str):
        return abbr
    return (f"{path}_{name}" if name else path).replace("/", "_")


def _entries(values: ConfigDict, key: str, checker: Checker) -> Iterator[tuple[ConfigDict, Place]]:
    config = as_config(values, Place())
    entries = config.get(key)
    if key not in config:
        remedy = did_you_mean(closest(key, map(str, config))) or f"add {key} = […]"
        checker.add(f"the configuration defines no {key}", config.place, remedy)
    elif not isinstance(entries, list | tuple):
        what = "one dict" if isinstance(entries, ConfigDict) else type(entries).__name__
        checker.add(f"{key} is a list of dicts, not {what}", config.place_of(key), f"write {key} = […]")
    elif not entries:
        checker.add(f"{key} is an empty list", config.place_of(key), "add at least one dict to it")
    else:
        yield from _dicts(cast(list[Any], entries), key, config, checker)


def _dicts(entries: list[Any], key: str, config: ConfigDict, checker: Checker) -> Iterator[tuple[ConfigDict, Place]]:
    for index, entry in enumerate(entries):
        name = f"{key}[{index}]"
        if isinstance(entry, ConfigDict):
            yield entry, Place(entry.place.file, entry.place.line, name)
        else:
            place = config.place_of(key)
            checker.add(f"this entry is a {type(entry).__name__}, not a dict", Place(place.file, place.line, name))


def _check_unique(specs: Sequence[ModelSpec] | Sequence[DatasetSpec], checker: Checker) -> None:
    """Two entries that would write the same file are an error: one would overwrite the other."""
    first: dict[str, ModelSpec | DatasetSpec] = {}
    for spec in specs:
        other = first.setdefault(safe_name(spec.abbr), spec)
        if other is not spec:
            checker.add(
                f"the abbr {spec.abbr!r} is taken by {other.place}", spec.place, "give each one an abbr of its own"
            )


def _model(config: ConfigDict, place: Place, checker: Checker) -> ModelSpec | None:
    component = checker.component(config, "model", place)
    resources = _resources(config, place, checker)
    abbr = _abbr(config, model_abbr, place, checker)
    if component is None or resources is None or abbr is None:
        return None
    fields = {key: checker.nested(config, key, place) for key in MODEL_KEYS - {"abbr", "run_cfg"} if key in config}
    fields |= {
        **resources.model_dump(), "abbr": abbr, "type": component.type, "written_type": component.written_type,
        "arguments": component.arguments, "is_api": _is_api(component), "place": place,
    }  # fmt: skip
    return _spec(ModelSpec, config, place.key or "", checker, fields)


def _is_api(component: CheckedComponent) -> bool:
    entry = entry_of(component.type)
    return bool(getattr(component.factory, "is_api", entry is None or not entry.loads_weights))


def _resources(config: ConfigDict, place: Place, checker: Checker) -> _Resources | None:
    section = _section(config, "run_cfg", place, checker)
    return _spec(_Resources, section, f"{place.key}.run_cfg", checker, {str(key): section[key] for key in section})


def _dataset(config: ConfigDict, place: Place, checker: Checker) -> DatasetSpec | None:
    subjective = subjective_spec(config, place.key or "", checker) if is_subjective(config) else None
    config = without_subjective_keys(config) if subjective else config
    component = checker.component(config, "dataset", place)
    reader = _reader(config, place, checker)
    infer_cfg = _infer_cfg(config, place, checker)
    eval_cfg = _eval_cfg(config, place, checker)
    abbr = _abbr(config, dataset_abbr, place, checker)
    if component is None or reader is None or infer_cfg is None or abbr is None:
        return None
    fields = {
        "abbr": abbr, "type": component.type, "written_type": component.written_type, "arguments": component.arguments,
        "reader": reader, "infer_cfg": infer_cfg, "eval_cfg": eval_cfg, "n": config.get("n", 1), "k": _k(config),
        "version": prompt_version(config["infer_cfg"]), "subjective": subjective, "place": place,
    }  # fmt: skip
    spec = _spec(DatasetSpec, config, place.key or "", checker, fields)
    if spec is not None and (spec.n < 1 or min(spec.k, default=0) < 1 or max(spec.k) > spec.n):
        message = f"n={spec.n} repeats do not allow k={list(spec.k)}"
        checker.add(message, key_place(config, "k", place.key or ""), "k is at least 1 and at most n")
    return spec


def _k(config: ConfigDict) -> Any:
    k = config.get("k", 1)
    return tuple(cast(list[Any], k)) if isinstance(k, list | tuple) else (k,)


def _reader(config: ConfigDict, place: Place, checker: Checker) -> ReaderSpec | None:
    reader = _section(config, "reader_cfg", place, checker)
    if "reader_cfg" not in config:
        checker.add("the dataset has no reader_cfg", place, "add reader_cfg=dict(input_columns=…, output_column=…)")
        return None
    fields: dict[str, Any] = {str(key): reader[key] for key in reader if key != "type"}
    if isinstance(fields.get("input_columns"), str):
        fields["input_columns"] = fields["input_columns"].split()
    return _spec(ReaderSpec, reader, f"{place.key}.reader_cfg", checker, fields)


def _infer_cfg(config: ConfigDict, place: Place, checker: Checker) -> dict[str, Any] | None:
    section = _section(config, "infer_cfg", place, checker)
    path = f"{place.key}.infer_cfg"
    _check_keys(section, _INFER_KEYS, path, checker)
    missing = [key for key in ("retriever", "inferencer") if key not in section]
    if "prompt_template" not in section and "ice_template" not in section:
        missing.append("prompt_template")
    for key in missing:
        checker.add(
            f"infer_cfg has no {key!r}", Place(section.place.file, section.place.line, path), f"add {key}=dict(type=…)"
        )
    parts = {key: checker.part(section, key, path) for key in _INFER_KEYS if key in section}
    return None if missing or None in parts.values() else parts


def _eval_cfg(config: ConfigDict, place: Place, checker: Checker) -> dict[str, Any]:
    section = _section(config, "eval_cfg", place, checker)
    path = f"{place.key}.eval_cfg"
    _check_keys(section, _EVAL_KEYS, path, checker)
    return {key: checker.part(section, key, path) for key in _EVAL_KEYS if key in section}


def _section(config: ConfigDict, key: str, place: Place, checker: Checker) -> ConfigDict:
    """The dict under a key; an empty one, with a finding, if something else stands there."""
    section = config.get(key, ConfigDict.placed({}, place, {}))
    if isinstance(section, ConfigDict):
        return section
    checker.add(f"{key} is a dict, not {type(section).__name__}", key_place(config, key, place.key or ""))
    return ConfigDict.placed({}, place, {})


def _check_keys(section: ConfigDict, valid: Sequence[str], path: str, checker: Checker) -> None:
    void = _WITHOUT_EFFECT.get(path.rpartition(".")[2], ())
    for key in section:
        place = key_place(section, str(key), path)
        if key in void:
            checker.add(f"{key!r} has no effect here", place, "leave it out", FindingKind.WARNING)
        elif key not in valid:
            checker.add(f"there is no option {key!r} here", place, nearest(str(key), valid))


def _abbr(config: ConfigDict, default: Any, place: Place, checker: Checker) -> str | None:
    abbr = default(config) if "type" in config else config.get("abbr")
    if isinstance(abbr, str) and abbr:
        return abbr
    checker.add("there is no name for it in folders and tables", place, "add abbr='…'")
    return None


def _spec(kind: type[_S], config: ConfigDict, path: str, checker: Checker, fields: Mapping[str, Any]) -> _S | None:
    """A spec of the fields, or findings for those that it cannot have."""
    try:
        return kind(**fields)
    except ValidationError as error:
        for problem in error.errors(include_input=False, include_url=False):
            name = ".".join(map(str, problem["loc"]))
            place = key_place(config, name.partition(".")[0], path)
            if problem["type"] == "extra_forbidden":
                checker.add(f"there is no option {name!r} here", place, nearest(name, kind.model_fields))
            elif problem["type"] == "missing":
                checker.add(f"{name!r} is missing", place, f"add {name}=…")
            else:
                checker.add(f"{name!r}: {problem_text(problem)}", place)
        return None
