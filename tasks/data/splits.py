"""What a loader may return, brought into one form: splits of rows by name."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from tasks.data.interface import Rows
from tasks.data.ranges import SelectedRows, select_rows
from tasks.spec.findings import Finding, UserError, nearest
from tasks.spec.specs import ReaderSpec

_EXPECTED = (
    "load() must return a list of dicts, a dict of such lists by split, or a Hugging Face Dataset or DatasetDict"
)


def pick_splits(loaded: Any, reader: ReaderSpec) -> tuple[Rows, Rows]:
    """Train and test rows as the reader names and cuts them; rows without splits serve as both.

    `test_range` is not applied. Raises UserError if a split is missing or what was loaded is of no accepted form.
    """
    if isinstance(loaded, Mapping):
        splits = cast(Mapping[str, Any], loaded)
        train = as_rows(_split(splits, "train_split", reader.train_split), reader.train_split)
        same = reader.train_split == reader.test_split
        test = train if same else as_rows(_split(splits, "test_split", reader.test_split), reader.test_split)
    else:
        train = test = as_rows(loaded, "the data")
    if not len(test):
        raise UserError(Finding("there are no rows to ask", remedy="check the file and reader_cfg.test_split"))
    return _cut(train, reader), test


def as_rows(loaded: Any, name: str) -> Rows:
    """`loaded` as a sequence of rows."""
    if hasattr(loaded, "column_names"):
        return cast(Rows, loaded)
    if isinstance(loaded, str | bytes | Mapping) or not isinstance(loaded, Iterable):
        raise UserError(Finding(f"{name} is a {type(loaded).__name__}, not a list of rows", remedy=_EXPECTED))
    rows = cast(Sequence[Any], loaded) if isinstance(loaded, Sequence) else list(cast(Iterable[Any], loaded))
    stranger = next((row for row in rows if not isinstance(row, Mapping)), None)
    if stranger is not None:
        raise UserError(Finding(f"{name} has a {type(stranger).__name__} among its rows", remedy=_EXPECTED))
    return rows


def check_columns(rows: Rows, reader: ReaderSpec) -> None:
    """Raises UserError, naming the nearest column, unless every row has the columns that the reader uses."""
    wanted = set(reader.input_columns) | ({reader.output_column} if reader.output_column else set[str]())
    columns = getattr(rows, "column_names", None)
    lacking = _lacking(wanted, rows) if columns is None else (0, wanted - set(columns))
    if lacking and lacking[1]:
        index, names = lacking
        present = columns if columns is not None else list(rows[index])
        raise UserError([_missing_column(name, index, present, reader) for name in sorted(names)])


def _lacking(wanted: set[str], rows: Rows) -> tuple[int, set[str]] | None:
    return next(((index, wanted - row.keys()) for index, row in enumerate(rows) if not wanted <= row.keys()), None)


def _missing_column(name: str, index: int, present: Iterable[str], reader: ReaderSpec) -> Finding:
    key = "output_column" if name == reader.output_column else "input_columns"
    where = "the data have" if index == 0 else f"row {index} has"
    return Finding(f"reader_cfg.{key}: {where} no column {name!r}", remedy=nearest(name, map(str, present)))


def _split(splits: Mapping[str, Any], key: str, name: str) -> Any:
    if name not in splits:
        names = ", ".join(repr(str(split)) for split in splits)
        raise UserError(
            Finding(f"reader_cfg.{key}: there is no split {name!r}", remedy=f"the splits are {names or 'none'}")
        )
    return splits[name]


def _cut(train: Rows, reader: ReaderSpec) -> Rows:
    if reader.train_range is None:
        return train
    return SelectedRows(train, select_rows(reader.train_range, len(train)))
