"""Who is asked, what is asked, and what has been asked before: the keys that resume and caches stand on.

A key changes whenever something changes that can change an answer, and with nothing else: types stand in it under
names that do not say where the code lies.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast
from urllib.parse import urlsplit, urlunsplit

from tasks.spec.chat import Prompt
from tasks.spec.names.key_names import key_name, with_key_names
from tasks.spec.names.type_table import entry_of
from tasks.spec.secrets.names import is_secret_name, without_secrets
from tasks.spec.served_files import served_files
from tasks.spec.shard import SHARD_SCHEMA
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.canonical import canonical_json, digest
from tasks.spec.storage.jsonable import jsonable

IDENTITY_SCHEMA = 1
"""Raised whenever an identity or a request's key is worded differently, which makes older answers unknown."""

_URLS = frozenset({"openai_api_base", "api_base", "base_url", "api_addr", "url", "endpoint", "host"})
_CANNOT_CHANGE_ANSWERS = _URLS | {
    "key", "org", "openai_proxy_url", "proxy", "proxies", "http_client_cfg",
    "query_per_second", "max_workers", "max_infer_workers", "concurrency", "retry", "timeout", "total_timeout",
    "verbose", "rpm_verbose",
}  # fmt: skip
_CANNOT_CHANGE_PROMPTS = ("batch_size", "save_every")
_SERVES_ALIKE = frozenset({"ready", "timeout", "num_gpus"})
_WEIGHTS = ("path", "model_path", "tokenizer_path", "peft_path", "lora_path")

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=True).encode


class RowIdentity(NamedTuple):
    """A row by its content: equal rows share the digest and differ in the occurrence."""

    digest: str
    occurrence: int
    """How many equal rows stand before it in the whole split, in file order."""


class Generation(Protocol):
    """What of a request for text its key depends on."""

    @property
    def prompt(self) -> Prompt: ...
    @property
    def max_out_len(self) -> int | None: ...
    @property
    def min_out_len(self) -> int | None: ...
    @property
    def stop(self) -> tuple[str, ...]: ...
    @property
    def sequences(self) -> int: ...


class Scoring(Protocol):
    """What of a request for a log-likelihood its key depends on."""

    @property
    def context(self) -> str: ...
    @property
    def continuation(self) -> str: ...
    @property
    def tokenwise(self) -> bool: ...


class RequestKeyer:
    """Gives the keys of all requests to one model."""

    def __init__(self, model_identity: str) -> None:
        self._base = hashlib.sha256(canonical_json([IDENTITY_SCHEMA, model_identity]))

    def __call__(self, request: Generation | Scoring, part: str, repeat: int, row: RowIdentity) -> str:
        """Request key, 64 hex digits; `part` names the label, round or judge call, `repeat` the repetition."""
        return self._key([*_question(request), part, repeat, *row])

    def _key(self, fields: list[Any]) -> str:
        key = self._base.copy()
        key.update(_encode(fields).encode("ascii"))
        return key.hexdigest()


def _question(request: Any) -> list[Any]:
    if hasattr(request, "continuation"):
        question = ["score", request.context, request.continuation]
        return [*question, "tokenwise"] if request.tokenwise else question
    question = ["ask", request.prompt, request.stop, request.max_out_len, request.min_out_len, request.sequences]
    return question if request.sampling is None else [*question, request.sampling.given]


def row_digest(row: Mapping[str, Any], columns: Sequence[str]) -> str:
    """Digest of the row's values in `columns`; any value has one, and it never depends on a `repr`."""
    values = [row.get(column) for column in columns]
    try:
        text = _encode(values)
    except (TypeError, ValueError):
        text = _encode(jsonable(values))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def dataset_recipe(dataset: DatasetSpec) -> dict[str, Any]:
    """How rows are chosen and turned into requests: everything of the dataset but its name and its scoring."""
    return {
        "type": key_name(dataset.type),
        "arguments": with_key_names(jsonable(dataset.arguments)),
        "reader": dataset.reader.model_dump(mode="json"),
        "infer_cfg": with_key_names(jsonable(dataset.infer_cfg)),
        "n": dataset.n,
    }


def part_key(
    model_identity: str,
    dataset: DatasetSpec,
    *,
    data_fingerprint: str,
    start: int,
    stop: int,
    limit: int | None = None,
    stage: str = "infer",
) -> str:
    """Key of one range of planned rows; computed without rendering a prompt.

    The dataset's name is part of it: one dataset may stand twice in a run, to be scored in two ways.
    """
    recipe = [dataset.abbr, dataset_recipe(dataset), data_fingerprint]
    return digest([stage, SHARD_SCHEMA, model_identity, recipe, start, stop, limit])


def shard_key(part_keys: Iterable[str]) -> str:
    """Key of a shard from the keys of its parts, in their order."""
    return digest(["shard", SHARD_SCHEMA, *part_keys])


def model_identity(model: ModelSpec) -> str:
    """Digest, 64 hex digits, of everything that can change the model's answers; what is unknown counts."""
    arguments = {name: value for name, value in model.arguments.items() if name not in _CANNOT_CHANGE_ANSWERS}
    return digest(
        {
            "schema": IDENTITY_SCHEMA,
            "type": key_name(model.type),
            "arguments": with_key_names(jsonable(_without_secrets(arguments))),
            "max_out_len": model.max_out_len,
            "min_out_len": model.min_out_len,
            "meta_template": jsonable(model.meta_template),
            "serve": _serve(model.serve or {}),
            "weights": None if model.is_api else {name: _weights(arguments.get(name)) for name in _WEIGHTS},
        }
    )


def endpoint_identity(model: ModelSpec) -> str:
    """Digest of the address the model is asked at, without user info; the same for all models without one."""
    addresses = {name: _addresses(model.arguments[name]) for name in _URLS if model.arguments.get(name)}
    entry = entry_of(model.type)
    if not addresses and entry and entry.url_variable:
        addresses = {"default": _addresses(os.environ.get(entry.url_variable, ""))}
    return digest(addresses)


def _addresses(value: Any) -> list[str]:
    values = cast(Sequence[Any], value if isinstance(value, list | tuple) else [value])
    return sorted(_address(str(item)) for item in values)


def _address(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def _without_secrets(value: Any) -> Any:
    """Secrets do not count; of headers, which may hold some, the names do."""
    if isinstance(value, Mapping):
        items = cast(Mapping[Any, Any], value).items()
        kept = {str(name): item for name, item in items if not is_secret_name(str(name))}
        return {
            name: sorted(map(str, cast(Iterable[Any], item))) if _are_headers(name, item) else _without_secrets(item)
            for name, item in kept.items()
        }
    if isinstance(value, list | tuple):
        return [_without_secrets(item) for item in cast(Sequence[Any], value)]
    return without_secrets(value) if isinstance(value, str) else value


def _are_headers(name: str, value: Any) -> bool:
    return name.lower().endswith("headers") and isinstance(value, Mapping)


def _serve(serve: Mapping[str, Any]) -> dict[str, Any]:
    """What of the model's own server can change an answer: all it is told, and the files with the weights."""
    counted = {name: value for name, value in serve.items() if name not in _SERVES_ALIKE}
    command = counted.get("command")
    if isinstance(command, list | tuple):
        counted["command"] = " ".join(map(str, cast(Sequence[Any], command)))
    weights = [_weights(path) for path in served_files(serve)]
    return {"options": jsonable(_without_secrets(counted)), "weights": weights}


def _weights(path: Any) -> list[tuple[str, int, int]] | None:
    """Names, sizes and modification times (ns) of the files of a local model; None where the path is not local."""
    root = Path(path) if isinstance(path, str) else None
    if root is None or not root.exists():
        return None
    files = [root] if root.is_file() else sorted(file for file in root.rglob("*") if file.is_file())
    return [(str(file.relative_to(root)), file.stat().st_size, file.stat().st_mtime_ns) for file in files]


def asking_recipe(dataset: DatasetSpec) -> dict[str, Any]:
    """How rows are chosen and turned into requests, without what only sets the pace."""
    recipe = dataset_recipe(dataset)
    inferencer = recipe["infer_cfg"].get("inferencer", {})
    asked = {name: value for name, value in inferencer.items() if name not in _CANNOT_CHANGE_PROMPTS}
    return {**recipe, "infer_cfg": recipe["infer_cfg"] | {"inferencer": asked}}


def recipe_identity(dataset: DatasetSpec) -> str:
    """Digest of the recipe without which rows are asked: another range or limit asks nothing again."""
    recipe = asking_recipe(dataset)
    reader = {name: value for name, value in recipe["reader"].items() if name != "test_range"}
    return digest([reader, recipe["infer_cfg"]])
