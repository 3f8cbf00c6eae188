"""Which scoring tasks are executed together: many small ones cost less that way."""

from collections.abc import Mapping, Sequence
from itertools import chain

from tasks.spec.storage.run_folder import Pair

_SAMPLES = 2000
"""Small tasks are executed together up to this many samples."""
_MOST_PIECES = 1000
"""More pieces of work make Prefect's server and its pages slow."""


def executed_together(
    tasks: Sequence[Sequence[Pair]], samples: Mapping[Pair, int | None], at_once: int
) -> list[list[Pair]]:
    """Neighbouring tasks as one piece of work, where they are small and enough pieces remain to run `at_once`.

    A pair of unknown size counts as a large one.
    """
    sizes = [sum(_size(samples.get(pair)) for pair in task) for task in tasks]
    most = min(_SAMPLES, -(-sum(sizes) // at_once))
    pieces: list[list[Pair]] = []
    filled = most
    for task, size in zip(tasks, sizes, strict=True):
        if filled + size > most:
            pieces.append([])
            filled = 0
        pieces[-1] += task
        filled += size
    step = max(1, -(-len(pieces) // _MOST_PIECES))
    return [list(chain.from_iterable(pieces[start : start + step])) for start in range(0, len(pieces), step)]


def _size(samples: int | None) -> int:
    """At least 1: a pair without samples is a piece of work as well."""
    return _SAMPLES if samples is None else max(samples, 1)
