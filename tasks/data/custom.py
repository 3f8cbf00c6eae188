"""The dataset of one file: JSON lines, CSV or Parquet."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.data.disk_store import spooled
from tasks.data.files import iter_jsonl, read_csv, read_parquet
from tasks.data.interface import BaseDataset
from tasks.data.paths import absent, resolve_data_path
from tasks.spec.findings import Finding, Place, UserError

READERS = {".jsonl": iter_jsonl, ".csv": read_csv, ".parquet": read_parquet}
"""How files are read, by the end of their name."""


class CustomDataset(BaseDataset):
    """Rows of a `.jsonl`, `.csv` or `.parquet` file, unchanged."""

    @staticmethod
    def load(path: str, file_name: str | None = None, local_mode: bool = False) -> Sequence[dict[str, Any]]:
        """Rows of the file `path`, or of `file_name` in the folder `path`.

        With `local_mode`, `path` is a path of this machine and is looked for nowhere else.
        """
        return read_rows(data_file(path, file_name, local_mode))


def data_file(path: str, file_name: str | None = None, local_mode: bool = False) -> Path:
    """The file that these arguments of `CustomDataset` mean; UserError naming where it was looked for."""
    written = str(Path(path).expanduser().absolute()) if local_mode else path
    file = resolve_data_path(written)
    if file_name is not None:
        file = file / file_name
        if not file.exists():
            raise UserError(absent(written, file_name))
    return file


def read_rows(file: Path) -> Sequence[dict[str, Any]]:
    """All rows of a file; UserError naming file and line of what cannot be read."""
    if file.is_dir():
        files = sorted(child.name for child in file.iterdir() if child.suffix in READERS)
        raise UserError(
            Finding("a folder, not a file", Place(str(file)), f"set file_name to one of its files: {', '.join(files)}")
        )
    if file.suffix not in READERS:
        *others, last = READERS
        remedy = f"use a {', '.join(others)} or {last} file"
        raise UserError(Finding(f"cannot read {file.suffix or 'this'} files", Place(str(file)), remedy))
    return spooled(READERS[file.suffix](file))
