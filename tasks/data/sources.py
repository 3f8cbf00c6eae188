"""Where the files of a benchmark come from: a folder of this machine, else the Hugging Face hub."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tasks.data.custom import read_rows
from tasks.data.folders import file_in
from tasks.data.hub import hub_file
from tasks.data.paths import absent, find_data_path, is_usual_path
from tasks.spec.findings import Finding, Place, UserError

CONVERTED = "refs/convert/parquet"
"""Revision in which the hub keeps public datasets as `<configuration>/<split>/0000.parquet`."""


class HubFile(NamedTuple):
    """A file of a dataset repository on the Hugging Face hub."""

    repository: str
    file: str
    revision: str = "main"


def source_files(path: str, *names: str, hub: Sequence[HubFile] = ()) -> list[Path]:
    """The file behind `path`, or the first of the files `names` in the folder behind it.

    Where nothing is there, and `path` is the benchmark's usual one or the repository's name, the files on the hub.
    Raises UserError naming every place that was looked at.
    """
    found = find_data_path(path)
    if found is not None and found.is_dir() and not names:
        raise UserError(Finding("a folder, not a file", Place(str(found)), "name one of its files"))
    if found is not None:
        return [found if found.is_file() else file_in(path, *names)]
    if not hub or not (is_usual_path(path) or path == hub[0].repository):
        raise UserError(absent(path))
    try:
        return [hub_file(*file) for file in hub]
    except UserError as error:
        raise UserError(_nowhere(path, error)) from error


def source_rows(path: str, *names: str, hub: Sequence[HubFile] = ()) -> Sequence[dict[str, Any]]:
    """All rows of those files: JSON lines, CSV with a header, or Parquet."""
    files = source_files(path, *names, hub=hub)
    return read_rows(files[0]) if len(files) == 1 else [row for file in files for row in read_rows(file)]


def _nowhere(path: str, error: UserError) -> Finding:
    missing, hub = absent(path), error.findings[0]
    return Finding(f"{missing.message}; {hub.message}", remedy=f"{missing.remedy}; {hub.remedy}", kind=missing.kind)
