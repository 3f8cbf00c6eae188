"""How far judges agree beyond chance."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import isnan
from typing import Any


def agreement(labels: Mapping[str, Mapping[Any, str]], *, ordered: bool) -> list[dict[str, Any]]:
    """Cohen's kappa of every two judges over the questions that both decided, by scikit-learn.

    `labels` are verdicts by judge and question. Where they are numbers (`ordered`), large differences weigh more: the
    weights are quadratic. None where a kappa is not defined, since both always said the same one thing.
    """
    return [_of_two(one, other, labels[one], labels[other], ordered) for one, other in combinations(labels, 2)]


def _of_two(one: str, other: str, first: Mapping[Any, str], second: Mapping[Any, str], ordered: bool) -> dict[str, Any]:
    common = [question for question in first if question in second]
    pairs = [(first[question], second[question]) for question in common]
    equal = sum(a == b for a, b in pairs)
    return {
        "judges": [one, other],
        "n": len(pairs),
        "equal": 100 * equal / len(pairs) if pairs else None,
        "kappa": _kappa([a for a, _ in pairs], [b for _, b in pairs], ordered),
    }


def _kappa(first: Sequence[str], second: Sequence[str], ordered: bool) -> float | None:
    if len({*first, *second}) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    if ordered:  # half points are steps, and steps that nobody used count as distance
        steps = [[round(2 * float(label)) for label in labels] for labels in (first, second)]
        known = [step for column in steps for step in column]
        every = list(range(min(known), max(known) + 1))
        kappa = cohen_kappa_score(*steps, labels=every, weights="quadratic")
    else:
        kappa = cohen_kappa_score(first, second)
    return None if isnan(kappa) else float(kappa)
