"""One way to turn values into bytes and bytes into keys, so that equal things have equal keys."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> bytes:
    """JSON with sorted keys, no blanks and plain ASCII; tuples equal lists, lone surrogates survive as escapes.

    Raises TypeError for what JSON cannot hold: a key must never depend on a `repr`.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=True).encode("ascii")


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
