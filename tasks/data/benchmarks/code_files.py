"""Files of the benchmarks that ask for programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.paths import absent, resolve_data_path
from tasks.spec.findings import UserError


def code_rows(path: str, name: str, local_mode: bool) -> list[dict[str, Any]]:
    """Rows of the file `path`, or of the file `name` in the folder `path`; what ends in `.gz` may be there unpacked."""
    written = str(Path(path).expanduser().absolute()) if local_mode else path
    found = resolve_data_path(written)
    if found.is_dir():
        names = [name, name.removesuffix(".gz")]
        file = next((found / name for name in names if (found / name).is_file()), None)
        if file is None:
            raise UserError(absent(written, name))
        found = file
    return read_jsonl(found)


def repeated(rows: Sequence[dict[str, Any]], times: int) -> list[dict[str, Any]]:
    """Every row that many times, one after the other."""
    return [row for row in rows for _ in range(times)]
