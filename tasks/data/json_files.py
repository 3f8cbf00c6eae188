"""Reads rows from files that are one JSON document."""

import json
from pathlib import Path
from typing import Any

from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.json_text import load_json_object


def read_json_rows(path: Path, key: str | None = None) -> list[dict[str, Any]]:
    """The list of objects that the document is, or has under `key`; UserError naming the file for anything else."""
    document = _parse(path)
    where = "the document"
    if key is not None:
        where = f"{key!r}"
        document = document.get(key) if isinstance(document, dict) else None
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        raise UserError(Finding(f"{where} is not a list of JSON objects", Place(str(path))))
    return document


def _parse(path: Path) -> Any:
    try:
        return load_json_object(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(
            Finding(f"not UTF-8 text: {error.reason}", Place(str(path)), "save the file as UTF-8")
        ) from None
    except json.JSONDecodeError as error:
        raise UserError(Finding(f"not JSON: {error.msg}", Place(str(path), error.lineno))) from None
    except ValueError as error:  # nested too deeply; a number of too many digits
        raise UserError(Finding(f"cannot be read as JSON: {error}", Place(str(path)))) from None
