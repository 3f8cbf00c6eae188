"""The page of the keys of a configuration, and the keys that the code accepts."""

import inspect
import tomllib
from functools import cache
from pathlib import Path

from docs.generators.markdown import code, page, table
from flows.alerts.settings import AlertOptions
from tasks.models.engines import serve_options
from tasks.plan import configured_options
from tasks.plan.request import RunRequest
from tasks.plan.source import chatml
from tasks.spec import build, run_spec
from tasks.spec.checker import DATASET_KEYS, MODEL_KEYS
from tasks.spec.config.file import TOP_LEVEL_KEYS
from tasks.spec.specs import ReaderSpec
from tasks.spec.subjective import SUBJECTIVE_KEYS

_HOW = (
    "Keys of a [configuration file](../configuration.md). An entry also has the arguments of its class: "
    "a [model](models.md), a [loader](loaders.md) or a [runner](running.md). "
    "Unknown keys are errors, except at the top level."
)


def configuration_page() -> str:
    """One table for each place where keys stand."""
    return page("Configuration keys", _HOW, *(_part(title, keys) for title, keys in explained().items()))


def _part(title: str, keys: dict[str, str]) -> str:
    heading = f"`{title}`" if title.islower() and " " not in title else title
    return f"## {heading}\n\n{table(('key', ''), [(code(name), text) for name, text in keys.items()])}"


@cache
def explained() -> dict[str, dict[str, str]]:
    """The keys of the page by the places where they stand; options of a run have the texts that they have there."""
    written = tomllib.loads(Path(__file__).with_name("configuration.toml").read_text(encoding="utf-8"))
    fields = RunRequest.model_fields
    return written | {
        "infer": written["infer"] | {key: f"{fields[key].description}." for key in configured_options.INFER_KEYS}
    }


def accepted() -> dict[str, set[str]]:
    """The keys that the code takes, by the same places."""
    return {
        "The top level": set(TOP_LEVEL_KEYS),
        "alerts": set(AlertOptions.model_fields),
        "An entry of chatml_datasets": set(chatml._KEYS),
        "An entry of models": {"type", *MODEL_KEYS},
        "run_cfg": set(build._Resources.model_fields),
        "serve": {"type", *_options(serve_options._command_options)},
        "serve of type gguf": _options(serve_options.gguf_preset),
        "An entry of datasets": {"type", *DATASET_KEYS, *SUBJECTIVE_KEYS},
        "reader_cfg": set(ReaderSpec.model_fields),
        "infer_cfg": set(build._INFER_KEYS),
        "eval_cfg": set(build._EVAL_KEYS),
        "infer": {*run_spec._STAGE_KEYS, *configured_options.INFER_KEYS},
        "eval": {*run_spec._STAGE_KEYS, run_spec._UNSAFE},
    }


def _options(function: object) -> set[str]:
    return set(inspect.signature(function).parameters)  # pyright: ignore[reportArgumentType]
