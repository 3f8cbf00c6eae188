"""The rows that a reader's `train_range` or `test_range` selects."""

import random
import re
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, overload

from tasks.data.interface import Row, Rows
from tasks.spec.findings import Finding, UserError

_NUMBER = r"\s*+(-?\d{1,18})?\s*+"
_SLICE = re.compile(rf"\s*\[{_NUMBER}:{_NUMBER}(?::{_NUMBER})?\]\s*")


def select_rows(selector: str | float | None, size: int) -> Sequence[int]:
    """Indices below `size`, in the order they are used.

    None: all. A string: slices, each applied to what the one before it left, e.g. `'[:100][10:20]'`. A whole number
    n: the first n rows shuffled with seed n, in shuffled order; all rows if it is not between 1 and `size`. A
    fraction f: as the number `f * size`, but at least one row. Raises UserError for anything else.
    """
    if selector is None:
        return range(size)
    if isinstance(selector, str):
        return _sliced(selector, size)
    if isinstance(selector, float):
        return _shuffled(_fraction(selector, size), size)
    if not isinstance(selector, int) or isinstance(selector, bool):
        raise _not_a_range(selector)
    return _shuffled(selector, size)


class SelectedRows(Sequence[Row]):
    """Some rows of a split, in a given order, without copying them."""

    def __init__(self, rows: Rows, selection: Sequence[int]) -> None:
        self._rows = rows
        self._selection = selection

    def __len__(self) -> int:
        return len(self._selection)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> "SelectedRows": ...
    def __getitem__(self, index: int | slice) -> "Row | SelectedRows":
        if isinstance(index, slice):
            return SelectedRows(self._rows, self._selection[index])
        return self._rows[self._selection[index]]

    def __iter__(self) -> Iterator[Row]:
        return (self._rows[index] for index in self._selection)


def _sliced(selector: str, size: int) -> range:
    rows, position = range(size), 0
    while position < len(selector):
        match = _SLICE.match(selector, position)
        if match is None:
            raise _not_a_range(selector)
        start, stop, step = (None if number is None else int(number) for number in match.groups())
        if step == 0:
            raise UserError(
                Finding(f"the range {selector!r} has a step of 0", remedy="a step is at least 1, or negative")
            )
        rows, position = rows[start:stop:step], match.end()
    return rows


def _fraction(selector: float, size: int) -> int:
    if not 0 < selector < 1:
        raise UserError(
            Finding(
                f"the range {selector!r} is not a fraction between 0 and 1",
                remedy="a number of rows is written without a point",
            )
        )
    return max(1, int(selector * size))


def _shuffled(count: int, size: int) -> Sequence[int]:
    if count <= 0 or count >= size:
        return range(size)
    rows = list(range(size))
    random.Random(count).shuffle(rows)
    return array("q", rows[:count])


def _not_a_range(selector: Any) -> UserError:
    return UserError(
        Finding(
            f"cannot read the range {selector!r}",
            remedy="write slices such as '[0:64]' or '[:100][::2]', a number of rows such as 64, or a fraction",
        )
    )
