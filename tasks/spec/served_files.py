"""Finds the files with the weights of a model that a run serves itself."""

import shlex
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast


def served_files(serve: Mapping[str, Any]) -> list[str]:
    """Paths of the local files, and folders of a model, that `serve` names by `file` or in its command."""
    if isinstance(serve.get("file"), str):
        return [str(_packaged(serve.get("package"), serve["file"]))]
    return [word for word in _words(serve.get("command"))[1:] if _holds_weights(Path(word))]


def _packaged(package: Any, file: str) -> Path:
    """The file at its path, or inside an installed package, which is not imported."""
    spec = find_spec(package) if isinstance(package, str) and "." not in package else None
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0], file) if folders else Path(file).expanduser()


def _words(command: Any) -> list[str]:
    if isinstance(command, list | tuple):
        return [str(word) for word in cast(Sequence[Any], command)]
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:  # a quotation that is not closed, which is told when the server is started
        return []


def _holds_weights(path: Path) -> bool:
    """Programs count by their place in the command alone."""
    try:
        return (path / "config.json").is_file() or (path.is_file() and path.suffix != ".py")
    except OSError:  # a word that is too long for a path
        return False
