"""What can be known to go wrong with scoring before anything is asked: it would be found out when all is paid for."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from tasks.data.interface import LoadedDataset
from tasks.data.rows import plan_rows
from tasks.plan.checks.judges import judge_findings
from tasks.plan.missing_values import missing_reference
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import PairPlan
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding, FindingKind, UserError, nearest
from tasks.spec.judge_specs import evaluators_of
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec, ModelSpec

_GIVEN = frozenset({"predictions", "references", "test_set", "code_runner", "judges", "origin_prompt", "gold"})
"""Columns that every evaluator can ask for."""
_FIELDS = frozenset(
    {
        "prediction", "ppl", "BPB", "mink", "token_len", "loss", "total_chr_num", "log_likelihood", "steps", "choices",
        "pred_label", "res_length", "all_input_length", "status", "usage", "latency",
    }
)  # fmt: skip
"""Fields of predictions files that inferencers write."""
_ROWS = 5000
"""Rows whose references are read by the post-processor."""


def check_scoring(pairs: Sequence[PairPlan], request: RunRequest, search_path: tuple[str, ...]) -> list[Finding]:
    """Datasets that cannot be scored, each once; models whose post-processor cannot be used."""
    if request.mode not in ("all", "eval"):
        return []
    findings: list[Finding] = []
    for pair in {pair.dataset.abbr: pair for pair in pairs}.values():
        findings += _evaluator_findings(pair.dataset, search_path)
        for key in ("pred_postprocessor", "dataset_postprocessor"):
            config = pair.dataset.eval_cfg.get(key)
            findings += _step_findings(config, pair.dataset, f"eval_cfg.{key}", search_path)
        if pair.data is not None and not findings:
            findings += _reference_findings(pair.dataset, pair.data, request.limit, search_path)
    for model in {pair.model.abbr: pair.model for pair in pairs}.values():
        findings += _step_findings(model.pred_postprocessor, model, "pred_postprocessor", search_path)
    return findings


def _evaluator_findings(dataset: DatasetSpec, search_path: tuple[str, ...]) -> Iterator[Finding]:
    if dataset.eval_cfg.get("model_postprocessor"):
        message = f"{dataset.abbr}: eval_cfg.model_postprocessor is not supported"
        remedy = "use eval_cfg.pred_postprocessor, or pred_postprocessor on the model"
        yield Finding(message, place_in(dataset, "eval_cfg.model_postprocessor"), remedy)
    config = dataset.eval_cfg.get("evaluator")
    place = place_in(dataset, "eval_cfg.evaluator")
    if "evaluator" not in dataset.eval_cfg:
        remedy = "add eval_cfg=dict(evaluator=dict(type=…)), or only ask: -m infer"
        yield Finding(f"{dataset.abbr} has no evaluator: it will have no score", place, remedy, FindingKind.WARNING)
    evaluator = _importable(config.get("type"), search_path) if config else None
    if evaluator is None:
        return
    name = getattr(evaluator, "__name__", str(evaluator))
    if not callable(getattr(evaluator, "score", None)):
        yield Finding(f"{name} has no method score(), which every evaluator needs", place)
        return
    yield from _lacking(evaluator, name, dataset)
    asked = {parameter.name: parameter for parameter in _asked(evaluator)}
    yield from _lacked_by_parts(dataset, search_path)
    yield from judge_findings(dataset, search_path)
    needs_references = "references" in asked and asked["references"].default is inspect.Parameter.empty
    if needs_references and dataset.reader.output_column is None:
        remedy = "name the column of the right answers: reader_cfg.output_column"
        yield Finding(f"{dataset.abbr}: {name} compares with references, and there are none", place, remedy)
    if not str(dataset.inferencer.get("type", "")).startswith("tasks."):
        return  # an inferencer of the user's own may store whatever it likes
    for unknown in sorted(asked.keys() - _GIVEN - _FIELDS):
        if asked[unknown].default is inspect.Parameter.empty:
            hint = nearest(unknown, {*_GIVEN, *_FIELDS})
            yield Finding(f"{name}.score asks for {unknown!r}, which there is not", place, hint)


def _lacked_by_parts(dataset: DatasetSpec, search_path: tuple[str, ...]) -> Iterator[Finding]:
    """What the evaluators lack that the dataset's evaluator is made of."""
    for part in evaluators_of(dataset.eval_cfg):
        evaluator = _importable(part.get("type"), search_path) if part is not dataset.eval_cfg["evaluator"] else None
        if evaluator is not None:
            yield from _lacking(evaluator, getattr(evaluator, "__name__", part["type"]), dataset)


def _asked(evaluator: Any) -> list[inspect.Parameter]:
    """What `score` names, without `self`."""
    try:
        parameters = list(inspect.signature(evaluator.score).parameters.values())
    except (TypeError, ValueError):
        return []
    bound = isinstance(inspect.getattr_static(evaluator, "score", None), staticmethod | classmethod)
    named = parameters if bound else parameters[1:]
    return [item for item in named if item.kind in (item.POSITIONAL_OR_KEYWORD, item.KEYWORD_ONLY)]


def _lacking(component: Any, name: str, spec: DatasetSpec | ModelSpec) -> Iterator[Finding]:
    """What this machine lacks for an evaluator or a post-processor that says what it needs."""
    missing = [package for package in getattr(component, "libraries", ()) if not _is_installed(package)]
    if missing:
        message = f"{spec.abbr}: {name} needs the package{'s' * (len(missing) > 1)} {', '.join(missing)}"
        yield Finding(message, spec.place, "pip install 'compass-llm-eval[score]'", FindingKind.MACHINE)
        return
    lacking: Callable[[], str] | None = getattr(component, "lacking", None)
    if lacking is not None and (reason := lacking()):
        yield Finding(f"{spec.abbr}: {reason}", spec.place, kind=FindingKind.MACHINE)


def _step_findings(
    config: Mapping[str, Any] | None, spec: DatasetSpec | ModelSpec, key: str, search_path: tuple[str, ...]
) -> Iterator[Finding]:
    """A post-processor of ours is tried on an empty text, which tells whether its options can be used."""
    function = _importable(config.get("type"), search_path) if config else None
    if config is None or function is None:
        return
    lacking = list(_lacking(function, getattr(function, "__name__", config["type"]), spec))
    if lacking or not str(config["type"]).startswith("tasks."):
        yield from lacking
        return
    options = {name: value for name, value in config.items() if name != "type"}
    try:
        function("", **options)
    except TypeError:
        return  # the spec's checks of arguments have told
    except (ValueError, UserError) as error:
        place = place_in(spec, key) if isinstance(spec, DatasetSpec) else spec.place
        yield Finding(f"{spec.abbr}: {key}: {error}", place)


def _reference_findings(
    dataset: DatasetSpec, data: LoadedDataset, limit: int | None, search_path: tuple[str, ...]
) -> Iterator[Finding]:
    """The first row without a reference, or whose reference the post-processor cannot read."""
    column, config = dataset.reader.output_column, dataset.eval_cfg.get("dataset_postprocessor")
    asked = {item.name for item in _asked_of(dataset, search_path)}
    if column is None or "references" not in asked:
        return
    place = place_in(dataset, "reader_cfg.output_column")
    read = _reader_of_references(config, search_path)
    evaluator = _importable((dataset.eval_cfg.get("evaluator") or {}).get("type"), search_path)
    needs_text = "judges" not in asked and not getattr(evaluator, "takes_empty_references", False)
    for number, planned in enumerate(plan_rows(dataset.model_copy(update={"n": 1}), data, limit)):
        row = data.test[planned.row]
        value = row.get(column)
        if missing := missing_reference(dataset, row, planned.row, needs_text=needs_text):
            yield missing
            return
        if number < _ROWS and read is not None and getattr(read(value), "status", "found") != "found":
            shown = f"column {column!r} of row {planned.row}: {str(value)[-80:]!r}"
            remedy = "correct the data, or choose another dataset_postprocessor"
            yield Finding(f"{dataset.abbr}: no reference can be read from {shown}", place, remedy)
            return


def _reader_of_references(config: dict[str, Any] | None, search_path: tuple[str, ...]) -> Callable[[Any], Any] | None:
    """The dataset's post-processor of references, if it is ours: that of a user may not bear being tried."""
    if not config or not str(config.get("type")).startswith("tasks."):
        return None
    function = _importable(config["type"], search_path)
    options = {name: value for name, value in config.items() if name != "type"}
    return partial(function, **options) if function is not None else None


def _asked_of(dataset: DatasetSpec, search_path: tuple[str, ...]) -> list[inspect.Parameter]:
    config = dataset.eval_cfg.get("evaluator")
    evaluator = _importable(config.get("type"), search_path) if config else None
    return _asked(evaluator) if evaluator is not None and hasattr(evaluator, "score") else []


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _importable(dotted: Any, search_path: tuple[str, ...]) -> Any:
    """The class or function; None where there is none to import, which the spec's findings have told already."""
    try:
        return import_type(dotted, search_path) if isinstance(dotted, str) else None
    except UserError:
        return None
