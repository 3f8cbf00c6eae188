"""Any value as JSON, so that everything a dataset can hold has a digest."""

import hashlib
import json
import pickle
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, cast
from uuid import UUID


def jsonable(value: Any) -> Any:
    """The value in JSON types; what JSON does not know becomes its text or the digest of its bytes, never a `repr`."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {_key(key): jsonable(item) for key, item in cast(Mapping[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in cast(list[Any], value)]
    if isinstance(value, set | frozenset):
        return sorted((jsonable(item) for item in cast(set[Any], value)), key=_text)
    return _object(value)


def _object(value: Any) -> Any:
    if isinstance(value, bytes | bytearray):
        return {"bytes": hashlib.sha256(value).hexdigest()}
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta | Decimal | UUID | PurePath):
        return str(value)
    if isinstance(value, Enum):
        return jsonable(value.value)
    if hasattr(value, "tolist"):  # arrays and scalars of numpy, tensors
        return jsonable(value.tolist())
    return {"type": f"{type(value).__module__}.{type(value).__qualname__}", "bytes": _content(value)}


def _content(value: Any) -> str | None:
    try:
        data = value.tobytes() if hasattr(value, "tobytes") else pickle.dumps(value, protocol=4)
    except Exception:  # noqa: BLE001  a foreign class may raise anything here; equal digests are told apart by their occurrence
        return None
    return hashlib.sha256(data).hexdigest()


def _key(key: Any) -> str:
    return key if isinstance(key, str) else _text(jsonable(key))


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
