"""From a loaded dataset to the rows that are asked."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from tasks.data.disk_store import spooled
from tasks.data.interface import LoadedDataset, PlannedRow, Rows
from tasks.data.ranges import select_rows
from tasks.spec.finding_places import findings_at, place_in
from tasks.spec.findings import Finding, UserError
from tasks.spec.identity import RowIdentity, row_digest
from tasks.spec.specs import DatasetSpec


@dataclass(frozen=True)
class PlannedRows(Sequence[PlannedRow]):
    """Planned rows without holding them: whole passes over a selection. Slices are views."""

    selection: Sequence[int]
    positions: range

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, index: int) -> PlannedRow: ...
    @overload
    def __getitem__(self, index: slice) -> "PlannedRows": ...
    def __getitem__(self, index: int | slice) -> "PlannedRow | PlannedRows":
        if isinstance(index, slice):
            return replace(self, positions=self.positions[index])
        position = self.positions[index]
        repeat, place = divmod(position, len(self.selection))
        return PlannedRow(position, self.selection[place], repeat)


def plan_rows(spec: DatasetSpec, dataset: LoadedDataset, limit: int | None = None) -> PlannedRows:
    """The rows to ask, in order: `test_range` and `rows` of the test split, the first `limit`, all of that `n` times.

    Raises UserError for a range that cannot be read or selects nothing.
    """
    place = place_in(spec, "reader_cfg.test_range")
    with findings_at(place):
        selection = select_rows(spec.reader.test_range, len(dataset.test))
    if spec.reader.rows is not None:
        wanted = frozenset(spec.reader.rows)
        selection = [row for row in selection if row in wanted]
    if not selection:
        raise UserError(
            Finding(
                f"the range {spec.reader.test_range!r} selects none of the {len(dataset.test)} rows",
                place,
                "widen the range",
            )
        )
    if limit is not None:
        selection = selection[:limit]
    return PlannedRows(selection, range(len(selection) * spec.n))


class RowIdentities(Sequence[RowIdentity]):
    """One identity per row of a whole split; 8 bytes of memory each, and those of rows that repeat others."""

    def __init__(self, rows: Rows, columns: Sequence[str]) -> None:
        """OSError if the disk is full: digests of many rows lie there."""
        self._digests: Sequence[str] = spooled(row_digest(row, columns) for row in rows)
        self._repeated = _earlier_equals(self._digests)

    def __len__(self) -> int:
        return len(self._digests)

    @overload
    def __getitem__(self, index: int) -> RowIdentity: ...
    @overload
    def __getitem__(self, index: slice) -> list[RowIdentity]: ...
    def __getitem__(self, index: int | slice) -> RowIdentity | list[RowIdentity]:
        places = range(len(self))[index]
        return [self._at(place) for place in places] if isinstance(places, range) else self._at(places)

    def _at(self, place: int) -> RowIdentity:
        return RowIdentity(self._digests[place], self._repeated.get(place, 0))


def row_identities(spec: DatasetSpec, dataset: LoadedDataset) -> RowIdentities:
    """What each row of the whole test split is known by, in file order, whatever range is asked."""
    return RowIdentities(dataset.test, spec.reader.input_columns)


def _earlier_equals(digests: Sequence[str]) -> dict[int, int]:
    """How many equal ones stand before each, by place; those without any are missing.

    A first look marks one of 32 bits per digest; only digests that share a bit, a thirtieth of those that are
    different, are held in the second.
    """
    bits = 32 * len(digests)
    marked, shared = bytearray(bits // 8), set[int]()
    for bit in _bits(digests, bits):
        byte, mark = bit >> 3, 1 << (bit & 7)
        if marked[byte] & mark:
            shared.add(bit)
        marked[byte] |= mark
    seen, found = Counter[str](), dict[int, int]()
    for place, (digest, bit) in enumerate(zip(digests, _bits(digests, bits), strict=True)):
        if bit in shared:
            if seen[digest]:
                found[place] = seen[digest]
            seen[digest] += 1
    return found


def _bits(digests: Iterable[str], bits: int) -> Iterator[int]:
    return (int(digest[:16], 16) % bits for digest in digests)
