"""The metrics of a results file."""

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any

_FIRST = (
    "score", "auc_score", "accuracy", "humaneval_pass@1", "rouge1", "avg_toxicity_score", "bleurt_diff",
    "matthews_correlation", "truth", "f1", "exact_match",
)  # fmt: skip
"""Metrics that come before all others, in this order."""
_NOT_SHOWN = frozenset({"bp", "sys_len", "ref_len", "type"})


def numeric_metrics(results: Mapping[str, Any]) -> dict[str, float]:
    """The metrics of a results file in the order in which they are shown."""
    numbers = {
        name: number
        for name, value in results.items()
        if name not in _NOT_SHOWN and (number := _finite(value)) is not None
    }
    order = [*(name for name in _FIRST if name in numbers), *(name for name in numbers if name not in _FIRST)]
    return {name: numbers[name] for name in order}


def _finite(value: Any) -> float | None:
    """The number; None for what is no number, and for one that no table can show."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
