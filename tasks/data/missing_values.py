"""What counts as a missing value, for every loader, check and evaluator."""

from collections.abc import Mapping, Sequence
from typing import Any


def is_missing(value: Any) -> bool:
    """Whether it is null, NaN, NaT or pandas' NA."""
    if value is None:
        return True
    if isinstance(value, str | bool | int | Mapping | Sequence):
        return False
    if type(value).__name__ in ("NaTType", "NAType"):
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 NaN alone differs from itself
    except (TypeError, ValueError):  # arrays
        return False


def is_blank(value: Any) -> bool:
    """Whether it is missing, text without a character, or a list of nothing else."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, list | tuple):
        return all(is_blank(item) for item in value)
    return is_missing(value)
