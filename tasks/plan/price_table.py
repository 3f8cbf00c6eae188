"""Prices of well-known models where the configuration gives none: litellm's table, if that package is installed."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from tasks.spec.specs import ModelSpec

_TABLE = "model_prices_and_context_window_backup.json"
_ADDRESSES = ("openai_api_base", "base_url", "api_base")
_MILLION = 1_000_000


def with_known_prices(models: Sequence[ModelSpec]) -> tuple[ModelSpec, ...]:
    """The models, those without `prices` with the ones of the table that stand under exactly their name.

    A model with an address of its own is no vendor's, whatever its name; litellm is not imported.
    """
    unknown = [model for model in models if model.prices is None and _is_a_vendors(model)]
    table = _table() if unknown else {}
    return tuple(_priced(model, table) if model in unknown and table else model for model in models)


def _is_a_vendors(model: ModelSpec) -> bool:
    given = model.arguments
    return model.is_api and "path" in given and not model.serve and not any(given.get(key) for key in _ADDRESSES)


def _table() -> dict[str, Any]:
    spec = find_spec("litellm")
    path = Path(spec.origin).with_name(_TABLE) if spec is not None and spec.origin else None
    return orjson.loads(path.read_bytes()) if path is not None and path.is_file() else {}


def _priced(model: ModelSpec, table: dict[str, Any]) -> ModelSpec:
    entry = table.get(str(model.arguments["path"])) or {}
    prices = {kind: entry.get(f"{kind}_cost_per_token") for kind in ("input", "output")}
    known = {kind: float(price) * _MILLION for kind, price in prices.items() if price is not None}
    return model.model_copy(update={"prices": known}) if known else model
