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
        name: _float(value)
        for name, value in results.items()
        if name not in _NOT_SHOWN and isinstance(value, Real) and not isinstance(value, bool)
    }
    order = [*(name for name in _FIRST if name in numbers), *(name for name in numbers if name not in _FIRST)]
    return {name: numbers[name] for name in order}


def _float(value: Real) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
