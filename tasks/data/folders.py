"""Files of a dataset's folder."""

from pathlib import Path

from tasks.data.paths import absent, resolve_data_path
from tasks.spec.findings import Finding, UserError, nearest


def file_in(path: str, *names: str) -> Path:
    """The first of the files `names` that the folder behind `path` has.

    Raises UserError (a finding about this machine) naming the places looked at and the nearest file of the folder.
    """
    folder = resolve_data_path(path)
    found = next((folder / name for name in names if (folder / name).is_file()), None)
    if found is None:
        missing = absent(path, names[0])
        close = nearest(names[0], (child.name for child in folder.iterdir())) if folder.is_dir() else ""
        remedies = "; ".join(filter(None, (close, missing.remedy)))
        raise UserError(Finding(missing.message, remedy=remedies, kind=missing.kind))
    return found
