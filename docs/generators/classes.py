"""Pages of the classes that a configuration can name."""

from collections.abc import Mapping
from typing import Any

from docs.generators.arguments import Argument, argument_table, arguments_of, summary_of
from docs.generators.markdown import code, link, page, table
from tasks.models.engines.huggingface import HuggingFaceModel
from tasks.models.engines.lmdeploy_engine import LMDeployModel
from tasks.models.engines.vllm_engine import VLLMModel
from tasks.models.http.api_service import ApiService
from tasks.models.services.openai_service import OpenAIService
from tasks.spec.names.type_loading import import_type
from tasks.spec.names.type_table import TABLE, Kind, TypeEntry

_SHARED: dict[type, str] = {
    ApiService: "All API models",
    OpenAIService: "All OpenAI-compatible models",
    HuggingFaceModel: "All models loaded by transformers",
    VLLMModel: "All models loaded by vLLM",
    LMDeployModel: "All models loaded by LMDeploy",
}
_HANDED_OVER = {"self", "text", "predictions", "references", "prediction"}
_MOST_NAMED = 4
_JUDGES_RECORDS = {"output", "output_path"}
_MODEL_KEYS = "[keys of every model](../configuration.md#models)"


def models_page() -> str:
    """What groups of classes share, and one section per class with the rest."""
    how = f"Arguments of the model classes, in addition to the {_MODEL_KEYS}. Unset arguments are not sent."
    shared = [f"## {title}\n\n{argument_table(_own(base, _SHARED))}" for base, title in _SHARED.items()]
    return page("Models", how, *shared, *(_model_section(import_type(entry.ours, ())) for entry in _entries("model")))


def _model_section(model: type) -> str:
    bases = [title for base, title in _SHARED.items() if issubclass(model, base)]
    links = " and ".join(link(title) for title in bases)
    own = argument_table(_own(model, _SHARED))
    takes = f"Takes the arguments of {links}{', and' if own else '.'}"
    return "\n\n".join(part for part in (f"## {model.__name__}", summary_of(model), takes, own) if part)


def _own(model: type, shared: Mapping[type, str]) -> list[Argument]:
    """The arguments that none of the groups it belongs to has, or has with another default or meaning."""
    bases = [base for base in shared if base is not model and issubclass(model, base)]
    known = {each for base in bases for each in arguments_of(base, "model")}
    return [each for each in arguments_of(model, "model") if each not in known]


def prompts_page() -> str:
    """Templates, retrievers, inferencers."""
    return page(
        "Prompts and inferencers",
        "Classes for `infer_cfg` of a dataset.",
        *_part("Templates", "template"),
        *_part("Retrievers", "retriever"),
        *_part("Inferencers", "inferencer"),
    )


def scoring_page() -> str:
    """Evaluators and post-processors."""
    return page(
        "Evaluators and post-processors",
        "Classes and functions for `eval_cfg` of a dataset. See [what counts as correct](../scoring.md).",
        *_lists("Evaluators", "evaluator"),
        *_lists("Post-processors", "postprocessor"),
    )


def loaders_page() -> str:
    """Dataset loaders."""
    how = "Values for `type` of a dataset. See [all benchmarks](../catalogue.md)."
    return page("Dataset loaders", how, *_lists("Loaders", "dataset"))


def running_page() -> str:
    """Partitioners, runners, tasks, summarizers."""
    return page(
        "Partitioners, runners, tasks, summarizers",
        "Classes for `infer`, `eval` and `summarizer`. See [clusters](../clusters.md); for `aliyun_cfg`, "
        "`volcano_cfg` and `rjob_cfg` see [clouds](../clouds.md).",
        *_part("Partitioners", "partitioner"),
        *_part("Runners", "runner"),
        *_part("Tasks", "task"),
        *_part("Summarizers", "summarizer"),
    )


def _entries(kind: Kind) -> list[TypeEntry]:
    """One entry per class, in the order of the table."""
    return list({entry.ours: entry for entry in TABLE if entry.kind == kind}.values())


def _part(title: str, kind: Kind) -> list[str]:
    return [f"## {title}", *(_section(entry, level=3) for entry in _entries(kind))]


def _section(entry: TypeEntry, level: int = 2) -> str:
    thing = import_type(entry.ours, ())
    parts = [f"{'#' * level} {entry.name}", summary_of(thing), argument_table(arguments_of(thing, entry.kind))]
    return "\n\n".join(part for part in parts if part)


def _lists(title: str, kind: Kind) -> list[str]:
    """The things by their names, and what their arguments mean."""
    entries = sorted(_entries(kind), key=lambda entry: entry.name.lower())
    taken = {entry: options_of(import_type(entry.ours, ()), kind) for entry in entries}
    rows = [(_names(entry), _written(taken[entry]), summary_of(import_type(entry.ours, ()))) for entry in entries]
    by_meaning: dict[tuple[str, str], list[str]] = {}
    for entry, options in taken.items():
        for option in options:
            by_meaning.setdefault((option.name, option.meaning), []).append(entry.name)
    meant = [(code(name), _owners(names), meaning) for (name, meaning), names in sorted(by_meaning.items())]
    return [
        f"## {title}",
        table(("name", "arguments", ""), rows),
        f"## Arguments of {title.lower()}",
        table(("argument", "of", ""), meant),
    ]


def _owners(names: list[str]) -> str:
    """Those that have the argument, if they are few."""
    return ", ".join(map(code, names)) if len(names) <= _MOST_NAMED else f"{len(names)} of them"


def _names(entry: TypeEntry) -> str:
    return ", ".join(code(name) for name in dict.fromkeys((entry.name, entry.registered)) if name)


def options_of(thing: Any, kind: Kind) -> list[Argument]:
    """Its arguments without what the framework hands over."""
    hidden = _HANDED_OVER | (_JUDGES_RECORDS if kind == "postprocessor" else set())
    called = getattr(thing, "load", thing) if kind == "dataset" else thing
    return [each for each in arguments_of(called, kind) if each.name not in hidden]


def _written(options: list[Argument]) -> str:
    return ", ".join(code(f"{each.name}={each.default}" if each.default else each.name) for each in options)
