"""Which of the waiting jobs go into the next batch of an engine that does not schedule by itself."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

T = TypeVar("T")
_ALWAYS_TOGETHER = 8
_LEAST_FILL = 0.85
"""Share of a larger batch that is not filler: reading filler costs as much as reading text."""


def next_batch(
    waiting: list[T],
    *,
    size: Callable[[T], int],
    budget: int,
    group: Callable[[T], Hashable] = lambda _: None,
) -> list[T]:
    """Takes the longest job out of `waiting`, and with it the next shorter ones of its group, longest first.

    All jobs of a batch are padded to the size of the longest; as many go in as keep their padded sum within `budget`
    tokens, at least one, and more than a few only while most of it is no filler. Longest first: what does not fit into
    the memory shows at the start.
    """
    waiting.sort(key=size)
    first = waiting[-1]
    longest, kind = max(1, size(first)), group(first)
    most = max(1, budget // longest)
    chosen: list[int] = []
    tokens = 0
    for at in range(len(waiting) - 1, -1, -1):
        if group(waiting[at]) != kind:
            continue
        tokens += size(waiting[at])
        count = len(chosen) + 1
        if count > most or (count > _ALWAYS_TOGETHER and tokens < _LEAST_FILL * count * longest):
            break
        chosen.append(at)
    batch = [waiting[at] for at in chosen]
    for at in chosen:
        del waiting[at]
    return batch


def padded(rows: Sequence[Sequence[int]], filler: int, *, left: bool) -> tuple[list[list[int]], list[list[int]]]:
    """Rows of equal length, and masks that are 1 where a token is not filler."""
    width = max(map(len, rows))
    ids: list[list[int]] = []
    masks: list[list[int]] = []
    for row in rows:
        fill, zeros, ones = (
            [filler] * (width - len(row)),
            [0] * (width - len(row)),
            [1] * len(row),
        )
        ids.append([*fill, *row] if left else [*row, *fill])
        masks.append([*zeros, *ones] if left else [*ones, *zeros])
    return ids, masks
