"""Which pairs can be scored when the predictions of one more are complete: comparisons wait for both sides."""

from collections.abc import Sequence

from flows.run import Run
from tasks.spec.run_folder import Pair
from tasks.spec.specs import DatasetSpec
from tasks.spec.subjective import shares_verdicts


class Releasing:
    """Holds the pairs back whose opponents are not there yet."""

    def __init__(self, run: Run) -> None:
        self._needs = {plan.pair: _needs(plan.dataset) for plan in run.plan.pairs}
        self._shared = {plan.pair for plan in run.plan.pairs if shares_verdicts(plan.dataset)}
        self._complete: set[Pair] = set()
        self._waiting: list[Pair] = []

    def complete(self, pair: Pair) -> list[list[Pair]]:
        """Groups of pairs that can be scored now; each group by one task."""
        self._complete.add(pair)
        self._waiting.append(pair)
        ready = [waiting for waiting in self._waiting if self._needs[waiting] <= self._complete]
        self._waiting = [waiting for waiting in self._waiting if waiting not in ready]
        return self._groups(ready)

    def rest(self) -> list[list[Pair]]:
        """Those still held back when the inference has ended: scoring them tells what they lack."""
        rest, self._waiting = self._waiting, []
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
