"""The prompt hash: what the `version` column of a summary shows."""

import hashlib
import json
from typing import Any, cast

from tasks.spec.findings import UserError
from tasks.spec.names.type_loading import written_type
from tasks.spec.names.type_table import entry_of
from tasks.spec.values import ConfigDict, TypeRef

DIGITS = 6


def prompt_version(infer_cfg: ConfigDict) -> str:
    """First hex digits of the SHA-256 that OpenCompass computes of the same configuration; `-` if there is none."""
    try:
        text = json.dumps(_hashed(infer_cfg), sort_keys=True)
    except (TypeError, ValueError, UserError):
        return "-"
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _hashed(infer_cfg: ConfigDict) -> dict[str, Any]:
    """The configuration as it is hashed: `fix_id_list` belongs to the inferencer there."""
    config = cast(dict[str, Any], in_their_words(infer_cfg))
    retriever = cast(Any, config.get("retriever"))
    if isinstance(retriever, dict) and "fix_id_list" in retriever:
        moved = cast(dict[str, Any], retriever).pop("fix_id_list")
        config["inferencer"] = {**config.get("inferencer", {}), "fix_id_list": moved}
    return config


def in_their_words(value: Any, key: Any = None) -> Any:
    """A configuration in plain values, types as OpenCompass's dotted paths."""
    if isinstance(value, dict):
        return {name: in_their_words(item, name) for name, item in cast(dict[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [in_their_words(item) for item in cast(list[Any], value)]
    if isinstance(value, TypeRef | type) or callable(value) or key == "type":
        return _opencompass_path(written_type(value))
    return value


def _opencompass_path(written: str) -> str:
    """Paths of OpenCompass stay as they are written; ours are theirs."""
    entry = entry_of(written) if written.startswith(("tasks.", "blocks.")) else None
    return entry.opencompass if entry else written
