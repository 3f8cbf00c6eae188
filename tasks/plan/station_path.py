"""Where results are kept for all runs: `station_path` of the configuration, or the flag."""

from pathlib import Path

from tasks.plan.request import RunRequest
from tasks.spec.values import ConfigDict


def with_station_path(values: ConfigDict, request: RunRequest) -> ConfigDict:
    """The command line comes first; a relative folder is meant from here, whoever reads the saved configuration."""
    path = request.station_path or values.get("station_path")
    if not isinstance(path, str | Path):
        return values
    text = str(path)
    return values | {"station_path": str(Path(text).expanduser().absolute()) if names_folder(text) else text}


def names_folder(station: str) -> bool:
    """Whether it is a path, rather than a URL or a reference to a variable."""
    return "://" not in station and not station.startswith("ENV:")
