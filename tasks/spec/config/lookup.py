"""Finds configurations by name: what `--models`, `--datasets` and `--summarizer` mean."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal, overload

from tasks.spec.config.bases import PACKAGED_CONFIGS, installed_configs
from tasks.spec.config.file import load_config
from tasks.spec.findings import Finding, Place, UserError, nearest
from tasks.spec.storage.user_paths import given_file
from tasks.spec.values import ConfigDict

ConfigKind = Literal["models", "datasets", "summarizers"]

_FOLDERS: dict[ConfigKind, tuple[str, ...]] = {
    "models": ("models",),
    "datasets": ("datasets", "dataset_collections"),
    "summarizers": ("summarizers",),
}
_VARIABLES: dict[ConfigKind, str] = {"models": "models", "datasets": "_datasets", "summarizers": "summarizer"}
_SUFFIXES = (".py", ".json", ".yaml", ".yml")
_WILDCARDS = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class FoundConfig:
    """A configuration that a name means."""

    path: Path
    variable: str
    """Which of its values are meant: those under this name, or whose name ends so for datasets."""


@dataclass(frozen=True)
class _Library:
    """All configurations of a kind."""

    own: Sequence[Sequence[Path]]
    """Those of the user's folder, then ours."""
    theirs: Sequence[Path]
    """Those of an installed OpenCompass."""

    @property
    def shelves(self) -> list[Sequence[Path]]:
        return [*self.own, self.theirs]


def find_config_files(kind: ConfigKind, names: Iterable[str], config_dir: Path | None = None) -> list[Path]:
    """The files that the names mean, in the order of the names; UserError naming each name that means none or several.

    A name is a file's name with or without `.py`, in any case; a pattern, which selects all it matches;
    `<dataset>_<way>` for a file whose name goes on with a hash; the path of a file; or any of these and `/<variable>`.
    Of the user's `config_dir`, our folder and that of an installed OpenCompass, the first that has the name wins.
    """
    return [found.path for found in find_configs(kind, names, config_dir)]


def find_configs(kind: ConfigKind, names: Iterable[str], config_dir: Path | None = None) -> list[FoundConfig]:
    """As `find_config_files`, with the variable that each name asks for."""
    library = _library(kind, config_dir)
    found: dict[FoundConfig, None] = {}
    findings: list[Finding] = []
    for name in names:
        base, variable = _parts(name)
        matches = _matches(base, library)
        if not matches or (len(matches) > 1 and not _WILDCARDS.search(base)):
            findings.append(_not_one(kind, base, matches, library))
        found |= {FoundConfig(match, variable or _VARIABLES[kind]): None for match in matches}
    if findings:
        raise UserError(findings)
    return list(found)


def all_configs(kind: ConfigKind, config_dir: Path | None = None) -> list[Path]:
    """Every configuration of a kind that can be named, sorted by name within the user's, ours and OpenCompass's."""
    return [file for files in _library(kind, config_dir).shelves for file in files]


@overload
def load_named(
    kind: Literal["models", "datasets"], names: Iterable[str], config_dir: Path | None = None
) -> list[ConfigDict]: ...
@overload
def load_named(kind: Literal["summarizers"], names: Iterable[str], config_dir: Path | None = None) -> ConfigDict: ...
def load_named(kind: ConfigKind, names: Iterable[str], config_dir: Path | None = None) -> list[ConfigDict] | ConfigDict:
    """The entries of `models`, those of all `*_datasets`, or the summarizer of the configurations that are named."""
    found = find_configs(kind, names, config_dir)
    if kind == "summarizers":
        return _summarizer(found)
    entries: list[ConfigDict] = []
    for config in found:
        values = load_config(config.path).values
        lists = [values[name] for name in values if _is_meant(kind, str(name), config.variable)]
        if not lists or not all(isinstance(item, list) for item in lists):
            raise _lacks(config, values)
        entries += [entry for item in lists for entry in item]
    return list({id(entry): entry for entry in entries}.values())


def _summarizer(found: Sequence[FoundConfig]) -> ConfigDict:
    if len(found) != 1:
        raise UserError(f"one summarizer is needed, not {len(found)}")
    values = load_config(found[0].path).values
    summarizer = values.get(found[0].variable)
    if not isinstance(summarizer, ConfigDict):
        raise _lacks(found[0], values)
    return summarizer


def _is_meant(kind: ConfigKind, name: str, variable: str) -> bool:
    return name.endswith(variable) if kind == "datasets" else name == variable


def _lacks(config: FoundConfig, values: ConfigDict) -> UserError:
    what = f"a name that ends in {config.variable!r}" if config.variable.startswith("_") else repr(config.variable)
    names = ", ".join(map(str, values)) or "nothing"
    return UserError(Finding(f"the file defines no list {what}", Place(str(config.path)), f"it defines {names}"))


def _library(kind: ConfigKind, config_dir: Path | None) -> _Library:
    folders = dict.fromkeys(folder.resolve() for folder in (config_dir, PACKAGED_CONFIGS) if folder)
    installed = installed_configs()
    return _Library([_files(folder, kind) for folder in folders], _files(installed, kind) if installed else [])


def _files(root: Path, kind: ConfigKind) -> list[Path]:
    """All configurations of a kind below a folder, sorted by name."""
    files = [Path(file) for folder in _FOLDERS[kind] for file in _python_files(str(root / folder))]
    return sorted(files, key=lambda file: (file.name, file))


def _python_files(folder: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir() and not entry.name.startswith((".", "__")):
            yield from _python_files(entry.path)
        elif entry.name.endswith(".py") and entry.name != "__init__.py":
            yield entry.path


def _parts(name: str) -> tuple[str, str]:
    """A name or path, and the variable that is asked for behind its last slash."""
    base, _, variable = name.rpartition("/")
    if _is_file(name) or not base or ("/" in base and not _is_file(base)):
        return name, ""
    return base, variable


def _is_file(name: str) -> bool:
    return name.endswith(_SUFFIXES) and given_file(name) is not None


def _matches(name: str, library: _Library) -> list[Path]:
    if _is_file(name):
        return [Path(name).expanduser().resolve()]
    stem = name.removesuffix(".py")
    if _WILDCARDS.search(stem):
        return _matching_pattern(stem.lower(), library)
    hashed = re.compile(rf"{re.escape(stem.lower())}_[0-9a-f]{{6}}")
    for files in library.shelves:
        exact = [file for file in files if file.stem == stem]
        same = exact or [file for file in files if file.stem.lower() == stem.lower()]
        found = same or [file for file in files if hashed.fullmatch(file.stem.lower())]
        if found:
            return found
    return []


def _matching_pattern(pattern: str, library: _Library) -> list[Path]:
    """All that match. A user's file hides ours of the same name; OpenCompass's count only without any of these."""
    for shelves in (library.own, [library.theirs]):
        found: dict[str, Path] = {}
        for files in shelves:
            hidden = set(found)
            found |= {
                file.stem: file for file in files if file.stem not in hidden and fnmatchcase(file.stem.lower(), pattern)
            }
        if found:
            return sorted(found.values(), key=lambda file: file.name)
    return []


def _not_one(kind: ConfigKind, name: str, matches: Sequence[Path], library: _Library) -> Finding:
    """Why a name cannot be used."""
    if matches:
        listed = "".join(f"\n    {match}" for match in matches)
        return Finding(
            f"several configurations are named {name!r}:{listed}", remedy="give the path of the one you mean"
        )
    known = {file.stem for files in library.shelves for file in files}
    close = nearest(name.removesuffix(".py"), known)
    listing = f"`compass list {name}` shows what there is"
    message = f"there is no {kind.removesuffix('s')} configuration named {name!r}"
    return Finding(message, remedy="; ".join(filter(None, [close, listing])))
