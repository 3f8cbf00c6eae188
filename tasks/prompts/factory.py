"""Builds templates and retriever from a dataset's `infer_cfg`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tasks.prompts.interface import Splits, TemplateKind
from tasks.prompts.retrievers import BaseRetriever, ZeroRetriever
from tasks.prompts.templates import Template
from tasks.spec.call_checks import check_arguments
from tasks.spec.finding_places import findings_at, place_in
from tasks.spec.findings import Finding, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec


@dataclass(frozen=True)
class Recipe:
    """What a dataset's prompts are made with."""

    prompt: Template
    example: Template | None
    """Words the in-context examples; None where there are none."""
    retriever: BaseRetriever
    shows_examples: bool


def build_recipe(spec: DatasetSpec, data: Splits, search_path: Sequence[str] = ()) -> Recipe:
    """Templates and retriever, checked against each other; UserError with the dataset's place says what to write."""
    prompt = _build(spec, "prompt_template", search_path)
    example = _build(spec, "ice_template", search_path)
    retriever = _retriever(spec, data, search_path)
    shows_examples = bool(len(data.test) and retriever.examples_for(0))
    with findings_at(place_in(spec, "infer_cfg")):
        recipe = Recipe(_asking(prompt, example), example, retriever, shows_examples)
        if shows_examples:
            _check_examples(recipe)
    return recipe


def _asking(prompt: Template | None, example: Template | None) -> Template:
    """The template of the question: `prompt_template`, or `ice_template` where it serves both."""
    if prompt is None and example is None:
        raise UserError(
            Finding("there is no template", remedy="add prompt_template=dict(type=PromptTemplate, template=…)")
        )
    asking = prompt if prompt is not None else example
    assert asking is not None
    if example is not None and asking.ice_token is None:
        name = "prompt_template" if prompt is not None else "ice_template"
        raise UserError(
            Finding(
                f"{name} has no ice_token, so the examples have no place",
                remedy="add ice_token='</E>' and put </E> into the template",
            )
        )
    return asking


def _check_examples(recipe: Recipe) -> None:
    if recipe.example is None:
        raise UserError(
            Finding(
                "the retriever selects examples, but nothing says how they are worded",
                remedy="add ice_template, or use ZeroRetriever",
            )
        )
    if not recipe.prompt.takes(recipe.example.kind):
        raise UserError(
            Finding(
                f"the template has no place for examples that are {_PLURAL[recipe.example.kind]}",
                remedy=_place_of_examples(recipe.prompt, recipe.example.kind),
            )
        )


_PLURAL: dict[TemplateKind, str] = {"text": "texts", "dialogue": "turns of a dialogue", "messages": "messages"}


def _place_of_examples(prompt: Template, kind: TemplateKind) -> str:
    if kind == "text" or prompt.kind == kind == "messages":
        return f"put {prompt.ice_token!r} where they go"
    if prompt.kind == kind:
        return f"put {prompt.ice_token!r} into 'begin' as an item of its own"
    return f"write prompt_template and ice_template in the same form; prompt_template is {_PLURAL[prompt.kind]}"


def _build(spec: DatasetSpec, key: str, search_path: Sequence[str]) -> Any:
    """The object that `infer_cfg[key]` describes; None if there is no such key."""
    with findings_at(place_in(spec, f"infer_cfg.{key}")):
        entry = spec.infer_cfg.get(key)
        if entry is None:
            return None
        if not isinstance(entry, Mapping) or "type" not in entry:
            raise UserError(Finding("it has no type", remedy="write dict(type=…, …)"))
        arguments = dict(cast(Mapping[str, Any], entry))
        dotted = str(arguments.pop("type"))
        factory = import_type(dotted, tuple(search_path))
        name = dotted.rpartition(".")[2]
        check_arguments(factory, arguments, name)
        try:
            return factory(**arguments)
        except (TypeError, ValueError) as error:
            remedy = "see which values its arguments take"
            raise UserError(Finding(f"{name} cannot be built: {error}", remedy=remedy)) from error


def _retriever(spec: DatasetSpec, data: Splits, search_path: Sequence[str]) -> BaseRetriever:
    retriever = _build(spec, "retriever", search_path) or ZeroRetriever()
    with findings_at(place_in(spec, "infer_cfg.retriever")):
        for name in ("ice_separator", "ice_eos_token"):
            if not isinstance(value := getattr(retriever, name, ""), str):
                raise UserError(Finding(f"{name} is {value!r}", remedy="write a string"))
        retriever.bind(data, spec.reader)
    return retriever
