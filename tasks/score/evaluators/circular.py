"""CircularEval: a question counts as known if it is answered right in every order of its options.

Liu et al. 2023, MMBench (arXiv:2307.06281).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import Any, Literal, NamedTuple

from tasks.score.evaluators.comparison import ComparingEvaluator, paired, percentage

_SEPARATOR = "_SEP_"
_Pattern = tuple[str, ...]
_Orders = Callable[[_Pattern], frozenset[_Pattern]]
"""The orders of a pattern's letters that belong to one kind of metrics."""


class _Copy(NamedTuple):
    """One order of one question's options."""

    question: Any
    pattern: _Pattern
    """The original letters in the order in which they were shown."""
    prediction: str
    correct: bool


class CircularEvaluator(ComparingEvaluator):
    """Metrics over the copies of each question, one copy for each order of its options.

    With columns `qid` and `circular_pattern` (`A_SEP_B_SEP_C`) in the data, for X of `origin`, `circular` and, if
    asked for, `all_possible`: `acc_X` over all copies, `perf_X`: all copies of a question right, `more_j_X`: at least
    j right. With references `qid--answer--ABCD`: `acc_4`, `perf_4`, `more_4_j`, `vote_4` (the majority, turned back to
    the original letters), the same for the original order (`acc_1`, …), and `prior_X`, how often X was chosen.
    Questions of which a copy is missing count in `acc_X` alone.
    """

    def __init__(
        self,
        circular_pattern: Literal["circular", "all_possible"] = "circular",
        pred_postprocessor: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(pred_postprocessor)
        self.circular_pattern = circular_pattern

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, predictions: Sequence[Any], references: Sequence[Any], test_set: Sequence[Mapping[str, Any]] | None = None
    ) -> dict[str, Any]:
        """ValueError for references and data that do not say which copy is whose."""
        pairs = [(str(prediction), reference) for prediction, reference in paired(predictions, references)]
        if pairs and str(pairs[0][1]).count("--") == 2:
            copies = [_from_reference(prediction, reference) for prediction, reference in pairs]
            metrics = _by_number(copies)
        else:
            copies = _from_rows(pairs, test_set or ())
            metrics = _by_name(copies, all_possible=self.circular_pattern == "all_possible")
        details = [
            {"pred": copy.prediction, "answer": reference, "correct": copy.correct}
            for copy, (_, reference) in zip(copies, pairs, strict=True)
        ]
        return metrics | {"details": details}


def _from_reference(prediction: str, reference: Any) -> _Copy:
    question, answer, pattern = str(reference).split("--")
    return _Copy(question, tuple(pattern), prediction, prediction == answer)


def _from_rows(pairs: Sequence[tuple[str, Any]], rows: Sequence[Mapping[str, Any]]) -> list[_Copy]:
    if len(rows) != len(pairs) or any("qid" not in row or "circular_pattern" not in row for row in rows):
        raise ValueError("the data need columns 'qid' and 'circular_pattern', or references like '3--B--BCDA'")
    return [
        _Copy(
            row["qid"], tuple(str(row["circular_pattern"]).split(_SEPARATOR)), prediction, prediction == str(reference)
        )
        for (prediction, reference), row in zip(pairs, rows, strict=True)
    ]


def _by_name(copies: Sequence[_Copy], *, all_possible: bool) -> dict[str, float]:
    kinds: dict[str, _Orders] = {"origin": _origin, "circular": _rotations}
    if all_possible:
        kinds["all_possible"] = _permutations
    metrics: dict[str, float] = {}
    for name, orders in kinds.items():
        own = _selected(copies, orders)
        if not own:
            continue
        metrics[f"acc_{name}"] = percentage([copy.correct for copy in own])
        rights, size = _rights(own, orders)
        if rights:
            metrics |= {f"more_{j}_{name}": percentage([right >= j for right in rights]) for j in range(1, size + 1)}
            metrics[f"perf_{name}"] = metrics[f"more_{size}_{name}"]
    return metrics


def _by_number(copies: Sequence[_Copy]) -> dict[str, float]:
    metrics: dict[str, float] = {}
    for orders in (_rotations, _origin):
        own = _selected(copies, orders)
        rights, size = _rights(own, orders)
        if not rights:
            continue
        metrics[f"acc_{size}"] = percentage([copy.correct for copy in own])
        metrics |= {f"more_{size}_{j}": percentage([right >= j for right in rights]) for j in range(size + 1)}
        metrics[f"perf_{size}"] = percentage([right == size for right in rights])
        metrics[f"vote_{size}"] = percentage([_vote(group) for group in _groups(own).values() if len(group) == size])
    letters = sorted({letter for copy in copies for letter in copy.pattern})
    chosen = Counter(copy.prediction for copy in copies)
    metrics |= {f"prior_{letter}": 100 * chosen[letter] / len(copies) for letter in letters}
    metrics["prior_-"] = 100 * sum(count for choice, count in chosen.items() if choice not in letters) / len(copies)
    return metrics


@cache
def _origin(pattern: _Pattern) -> frozenset[_Pattern]:
    return frozenset({tuple(sorted(pattern))})


@cache
def _rotations(pattern: _Pattern) -> frozenset[_Pattern]:
    letters = tuple(sorted(pattern))
    return frozenset(letters[start:] + letters[:start] for start in range(len(letters)))


@cache
def _permutations(pattern: _Pattern) -> frozenset[_Pattern]:
    return frozenset(permutations(sorted(pattern)))


def _selected(copies: Sequence[_Copy], orders: _Orders) -> list[_Copy]:
    return [copy for copy in copies if copy.pattern in orders(copy.pattern)]


def _groups(copies: Sequence[_Copy]) -> dict[Any, list[_Copy]]:
    groups: dict[Any, list[_Copy]] = defaultdict(list)
    for copy in copies:
        groups[copy.question].append(copy)
    return groups


def _rights(copies: Sequence[_Copy], orders: _Orders) -> tuple[list[int], int]:
    """How many copies are right, for each question all of whose orders were asked; and the largest number of orders."""
    rights: list[int] = []
    size = 0
    for group in _groups(copies).values():
        wanted = len(orders(group[0].pattern))
        if len({copy.pattern for copy in group}) == wanted:
            rights.append(sum(copy.correct for copy in group))
            size = max(size, wanted)
    return rights, size


def _vote(group: Sequence[_Copy]) -> bool:
    """Whether the original letter chosen most often, alone, is the right one."""
    chosen = Counter(_original(copy.prediction, copy.pattern) for copy in group)
    (best, count), *others = chosen.most_common()
    right = next((_original(copy.prediction, copy.pattern) for copy in group if copy.correct), None)
    return best is not None and best == right and all(other < count for _, other in others)


def _original(prediction: str, pattern: tuple[str, ...]) -> str | None:
    letters = sorted(pattern)
    return pattern[letters.index(prediction)] if prediction in letters else None
