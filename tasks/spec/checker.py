"""Turns the dicts of a configuration into plain values with resolved types, and collects what is wrong with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple, cast

from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.model_checks import model_findings
from tasks.spec.names.type_loading import import_type, resolve_type, their_path, written_type
from tasks.spec.names.type_table import Kind, entry_of
from tasks.spec.signatures import argument_findings, key_place
from tasks.spec.values import ConfigDict, TypeRef

MODEL_KEYS = frozenset(
    {
        "abbr", "run_cfg", "max_out_len", "min_out_len", "batch_size", "summarizer_abbr", "pred_postprocessor",
        "meta_template", "prices", "serve",
    }
)  # fmt: skip
"""Keys of a model that its class does not get."""
DATASET_KEYS = frozenset({"abbr", "reader_cfg", "infer_cfg", "eval_cfg", "n", "k"})
"""Keys of a dataset that its loader does not get."""

_FRAMEWORK: dict[Kind, frozenset[str]] = {
    "model": MODEL_KEYS,
    "dataset": DATASET_KEYS,
    "runner": frozenset({"task", "lark_bot_url"}),
    "partitioner": frozenset({"out_dir", "keep_keys"}),
    "inferencer": frozenset({"max_seq_len"}),  # the model's own holds
}
_NESTED: dict[str, Kind] = {
    "evaluator": "evaluator",
    "rule_evaluator": "evaluator",
    "llm_evaluator": "evaluator",
    "judge_cfg": "model",
    "judgers": "model",
    "judge_models": "model",
    "meta_judge_model": "model",
    "models": "model",
    "base_models": "model",
    "compare_models": "model",
    "summarizer": "summarizer",
    "dataset_cfg": "dataset",
    "prompt_template": "template",
    "ice_template": "template",
    "meta_review_prompt_template": "template",
    "retriever": "retriever",
    "inferencer": "inferencer",
    "pred_postprocessor": "postprocessor",
    "dataset_postprocessor": "postprocessor",
    "model_postprocessor": "postprocessor",
    "dict_postprocessor": "postprocessor",
}
"""What kind of thing a dict with a `type` is, by the key it stands under."""
_POOL = "judgers"
"""What a judge_cfg without a type of its own may hold: several judges."""
_INJECTED = frozenset(
    {"self", "dataset", "model", "cfg", "config", "text", "predictions", "references", "output", "output_path"}
)
"""Parameters that classes get from the framework."""


_Checked = tuple[str, Any, list[Finding]]
"""Dotted path, class and what is wrong with what a configuration gives it."""


class CheckedComponent(NamedTuple):
    """A dict with a `type`, checked."""

    type: str
    written_type: str
    arguments: dict[str, Any]
    factory: Any
    """The class or function; None if it could not be imported."""
    place: Place

    @property
    def plain(self) -> dict[str, Any]:
        """As one dict again, `type` being the dotted path to import."""
        return {"type": self.type, **self.arguments}


@dataclass
class Checker:
    """Collects the findings of one configuration."""

    search_path: Sequence[str | Path] = ()
    prefer_theirs: bool = False
    """Whether OpenCompass's own loaders, evaluators and post-processors come before ours."""
    findings: list[Finding] = field(default_factory=list[Finding])
    imported: dict[str, Any] = field(default_factory=dict[str, Any])
    """Classes and functions by dotted path; None for those that could not be imported."""

    def add(self, message: str, place: Place, remedy: str = "", kind: FindingKind = FindingKind.CONFIG) -> None:
        self.findings.append(Finding(message, place, remedy, kind))

    def distinct(self) -> list[Finding]:
        """The findings, those about a dict that several entries share once."""
        seen = {
            (finding.message, finding.place.file, finding.place.line or finding.place.key): finding
            for finding in reversed(self.findings)
        }
        return list(reversed(seen.values()))

    def component(self, config: Any, kind: Kind | None, place: Place) -> CheckedComponent | None:
        """The checked form of a dict with a `type`; None if it has none that can be resolved."""
        what = kind or "component"
        if not isinstance(config, ConfigDict):
            self.add(f"a {what} is a dict with a type, not {type(config).__name__}", place, "write dict(type=…, …)")
            return None
        if "type" not in config:
            self.add(f"this {what} has no 'type'", place, "add type=…")
            return None
        type_place = key_place(config, "type", place.key or "")
        try:
            written = written_type(config["type"], type_place)
            dotted = resolve_type(config["type"], kind, type_place, prefer_theirs=self.prefer_theirs)
        except UserError as error:
            self.findings += error.findings
            return None
        factory = self._import(dotted, type_place)
        findings = self._argument_findings(factory, config, kind, place, dotted) if factory is not None else []
        theirs = their_path(written, kind) if findings else None
        if theirs is not None and theirs != dotted:
            dotted, factory, findings = self._theirs(theirs, (dotted, factory, findings), config, kind, place)
        self.findings += findings
        if kind == "model":
            self.findings += model_findings(config, dotted, place.key or "")
        framework = _FRAMEWORK.get(kind, frozenset()) if kind else frozenset[str]()
        arguments = {
            str(key): self.nested(config, key, place) for key in config if key != "type" and key not in framework
        }
        return CheckedComponent(dotted, written, arguments, factory, place)

    def part(self, section: ConfigDict, key: str, path: str) -> Any:
        """The plain value of a section's key, which is a component if the key says so; None if it cannot be used."""
        kind = _NESTED.get(key)
        if kind is None:
            return self.nested(section, key, Place(key=path))
        value = section[key]
        found = value.place if isinstance(value, ConfigDict) else section.place_of(key)
        component = self.component(value, kind, Place(found.file, found.line, f"{path}.{key}"))
        return component.plain if component else None

    def nested(self, config: ConfigDict, key: Any, place: Place) -> Any:
        """The plain value under a key; types in it are resolved where key or spelling tells what they are."""
        return self._plain(config[key], str(key), key_place(config, str(key), place.key or ""))

    def _plain(self, value: Any, name: str, place: Place) -> Any:
        if isinstance(value, ConfigDict):
            kind = _NESTED.get(name)
            if "type" in value and (kind or _looks_like_type(value["type"])):
                return self._whole(value, kind, place)
            if kind == "model" and value and _POOL not in value:
                self.add("this model has no 'type'", place, "add type=…")
            return {
                str(key): self._plain(
                    value[key], name if kind else str(key), key_place(value, str(key), place.key or "")
                )
                for key in value
            }
        if isinstance(value, list | tuple):
            items = enumerate(cast(Sequence[Any], value))
            return [self._plain(item, name, _indexed(place, index)) for index, item in items]
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, TypeRef | type) or callable(value):
            return self._named(value, place)
        if isinstance(value, PurePath):
            return str(value)
        remedy = "use numbers, texts, lists, tuples and dicts only"
        self.add(f"a value of type {type(value).__name__} cannot be handed to other processes", place, remedy)
        return None

    def _whole(self, value: ConfigDict, kind: Kind | None, place: Place) -> dict[str, Any]:
        """A nested component with the keys that the framework itself takes."""
        component = self.component(value, kind, place)
        if component is None:
            return {}
        return {
            **component.plain,
            **{str(key): self.nested(value, key, place) for key in value if key in _FRAMEWORK.get(kind or "task", ())},
        }

    def _named(self, value: Any, place: Place) -> str | None:
        try:
            return written_type(value, place)
        except UserError as error:
            self.findings += error.findings
            return None

    def _import(self, dotted: str, place: Place) -> Callable[..., Any] | None:
        if dotted not in self.imported:
            try:
                self.imported[dotted] = import_type(dotted, self.search_path)
            except UserError as error:
                self.imported[dotted] = None
                self.findings += [Finding(found.message, place, found.remedy, found.kind) for found in error.findings]
        return self.imported[dotted]

    def _theirs(self, theirs: str, ours: _Checked, config: ConfigDict, kind: Kind | None, place: Place) -> _Checked:
        """OpenCompass's class in place of ours, which lacks an option that is given, if it has that option."""
        dotted, factory, findings = ours
        try:
            their_class = import_type(theirs, self.search_path)
        except UserError as error:
            reason = f"OpenCompass's own cannot be imported: {error.findings[0].message}"
            remedy = "; ".join(filter(None, (findings[0].remedy, reason)))
            return dotted, factory, [replace(findings[0], remedy=remedy, kind=FindingKind.MACHINE)]
        wrong = self._argument_findings(their_class, config, kind, place, theirs)
        return ours if wrong else (theirs, their_class, [])

    def _argument_findings(
        self, factory: Any, config: ConfigDict, kind: Kind | None, place: Place, dotted: str
    ) -> list[Finding]:
        function = getattr(factory, "load", None) if kind == "dataset" else factory
        name = dotted.rpartition(".")[2]
        if not callable(function):
            what = "has no load(), which every dataset class needs" if kind == "dataset" else "is no class or function"
            return [Finding(f"{name} {what}", place)]
        complete = kind in ("model", "dataset") or entry_of(dotted) is not None
        return argument_findings(
            function, config, what=name, path=place.key or "", framework=_FRAMEWORK.get(kind, ()) if kind else (),
            injected=_INJECTED if complete else None,
        )  # fmt: skip


def _indexed(place: Place, index: int) -> Place:
    return Place(place.file, place.line, f"{place.key}[{index}]")


def _looks_like_type(written: Any) -> bool:
    """Whether a `type` under an unknown key names a class: as an import, or by a path that is known."""
    if isinstance(written, str):
        return written.startswith("opencompass.") or entry_of(written) is not None
    return isinstance(written, TypeRef | type) or callable(written)
