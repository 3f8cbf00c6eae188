"""The dataset of one file: JSON lines or CSV."""

from pathlib import Path
from typing import Any

from tasks.data.files import read_csv, read_jsonl
from tasks.data.interface import BaseDataset
from tasks.data.paths import absent, resolve_data_path
from tasks.spec.findings import Finding, Place, UserError


class CustomDataset(BaseDataset):
    """Rows of a `.jsonl` or `.csv` file, unchanged."""

    @staticmethod
    def load(path: str, file_name: str | None = None, local_mode: bool = False) -> list[dict[str, Any]]:
        """Rows of the file `path`, or of `file_name` in the folder `path`.

        With `local_mode`, `path` is a path of this machine and is looked for nowhere else.
        """
        written = str(Path(path).expanduser().absolute()) if local_mode else path
        file = resolve_data_path(written)
        if file_name is not None:
            file = file / file_name
            if not file.exists():
                raise UserError(absent(written, file_name))
        return _read(file)


def _read(file: Path) -> list[dict[str, Any]]:
    if file.is_dir():
        files = sorted(child.name for child in file.iterdir() if child.suffix in (".jsonl", ".csv"))
        raise UserError(
            Finding("a folder, not a file", Place(str(file)), f"set file_name to one of its files: {', '.join(files)}")
        )
    if file.suffix == ".jsonl":
        return read_jsonl(file)
    if file.suffix == ".csv":
        return read_csv(file)
    raise UserError(
        Finding(f"cannot read {file.suffix or 'this'} files", Place(str(file)), "use a .jsonl or .csv file")
    )
