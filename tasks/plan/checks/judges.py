"""What can be known of judges before anything is asked: who they are, what they need, whether they see the answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from tasks.plan.checks.general import importable
from tasks.plan.checks.model_needs import model_needs
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.judge_specs import judges_of
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec

_CASCADE, _GENERIC = (f"tasks.score.judging.{name}" for name in ("cascade_evaluator.", "generic_evaluator."))


def judge_findings(dataset: DatasetSpec, search_path: tuple[str, ...]) -> Iterator[Finding]:
    """What is wrong with a dataset's judges and their prompts, and what this machine lacks for them."""
    place = place_in(dataset, "eval_cfg.evaluator")
    evaluator: Any = dataset.eval_cfg.get("evaluator") or {}
    if _is(evaluator, _CASCADE):
        yield from _cascade_findings(evaluator, dataset, place)
        evaluator = evaluator.get("llm_evaluator") or {}
    if _is(evaluator, _GENERIC):
        yield from _prompt_findings(evaluator.get("prompt_template"), dataset, place)
    try:
        for judge in judges_of(dataset):
            yield from model_needs(judge.model_copy(update={"place": place}), importable(judge.type, search_path))
    except UserError as error:
        yield from (Finding(f"{dataset.abbr}: {f.message}", place, f.remedy, f.kind) for f in error.findings)


def _is(evaluator: Mapping[str, Any], module: str) -> bool:
    return str(evaluator.get("type")).startswith(module)


def _cascade_findings(evaluator: Mapping[str, Any], dataset: DatasetSpec, place: Place) -> Iterator[Finding]:
    if not evaluator.get("rule_evaluator") and not evaluator.get("sample_score_fn"):
        remedy = "add rule_evaluator=dict(type=…), or use the llm_evaluator alone"
        yield Finding(f"{dataset.abbr}: the cascade has no rule", place, remedy)
    judging = evaluator.get("llm_evaluator")
    if judging and str(judging.get("type")).startswith("tasks.") and not _is(judging, _GENERIC):
        name = str(judging["type"]).rpartition(".")[2]
        yield Finding(f"{dataset.abbr}: llm_evaluator is {name}", place, "use GenericLLMEvaluator")


def _prompt_findings(template: Mapping[str, Any] | None, dataset: DatasetSpec, place: Place) -> Iterator[Finding]:
    """A prompt that cannot be made, or that does not show the judge the answer."""
    what = f"{dataset.abbr}: the judge's prompt"
    if not template:
        return  # the spec's checks of arguments have told
    try:
        import_type(template["type"])(**{key: value for key, value in template.items() if key != "type"})
    except TypeError:
        return  # likewise
    except UserError as error:
        yield from (Finding(f"{what}: {found.message}", place, found.remedy) for found in error.findings)
        return
    if "{prediction}" not in str(template):
        yield Finding(f"{what} does not show the answer", place, "write {prediction} where the answer goes")
