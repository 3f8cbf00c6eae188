"""Which pairs can be scored when the predictions of one more are complete: comparisons wait for both sides."""

from collections.abc import Sequence

from flows.run.run import Run
from tasks.spec.specs import DatasetSpec
from tasks.spec.storage.run_folder import Pair
from tasks.spec.subjective import shares_verdicts


class Releasing:
    """Holds the pairs back whose opponents are not there yet."""

    def __init__(self, run: Run) -> None:
        self._missing = {plan.pair: _needs(plan.dataset) for plan in run.plan.pairs}
        self._needed_by: dict[Pair, list[Pair]] = {}
        for pair, needs in self._missing.items():
            for need in needs:
                self._needed_by.setdefault(need, []).append(pair)
        self._shared = {plan.pair for plan in run.plan.pairs if shares_verdicts(plan.dataset)}
        self._waiting: dict[Pair, None] = {}
        """In the order of their completion."""

    def complete(self, pair: Pair) -> list[list[Pair]]:
        """Groups of pairs that can be scored now; each group by one task."""
        self._waiting[pair] = None
        needed_by = self._needed_by.get(pair, [])
        for waiting in needed_by:
            self._missing[waiting].discard(pair)
        ready = [
            each for each in dict.fromkeys([*needed_by, pair]) if each in self._waiting and not self._missing[each]
        ]
        for each in ready:
            del self._waiting[each]
        return self._groups(ready)

    def rest(self) -> list[list[Pair]]:
        """Those still held back when the inference has ended: scoring them tells what they lack."""
        rest, self._waiting = list(self._waiting), {}
        return self._groups(rest)

    def _groups(self, pairs: Sequence[Pair]) -> list[list[Pair]]:
        """Pairs of one dataset that ask for the same verdicts stay together, others stand alone."""
        groups: dict[tuple[str, str], list[Pair]] = {}
        for pair in pairs:
            groups.setdefault(("" if pair in self._shared else pair.model, pair.dataset), []).append(pair)
        return list(groups.values())


def _needs(dataset: DatasetSpec) -> set[Pair]:
    opponents = dataset.subjective.opponents if dataset.subjective else ()
    return {Pair(opponent.abbr, dataset.abbr) for opponent in opponents if opponent.given is None}
