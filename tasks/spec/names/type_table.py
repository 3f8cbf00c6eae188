"""All names of types: our classes and functions, and what OpenCompass calls them.

One entry per class: kind, our dotted path, where OpenCompass has it, and its other names. Nothing is imported.
"""

from functools import cache

from tasks.spec.names.dataset_types import DATASETS
from tasks.spec.names.model_types import MODELS
from tasks.spec.names.prompt_types import PROMPTS
from tasks.spec.names.run_types import RUN_PARTS
from tasks.spec.names.scoring_types import SCORERS
from tasks.spec.names.subjective_types import SUBJECTIVE
from tasks.spec.names.type_entry import Kind, TypeEntry

TABLE: tuple[TypeEntry, ...] = (*MODELS, *DATASETS, *PROMPTS, *SCORERS, *RUN_PARTS, *SUBJECTIVE)


@cache
def _by_path() -> dict[str, TypeEntry]:
    paths = {entry.ours: entry for entry in TABLE}
    for entry in TABLE:
        paths[entry.opencompass] = entry
        if entry.module:
            paths[f"opencompass.{entry.package}.{entry.module}.{entry.name}"] = entry
    return paths


@cache
def _by_area() -> dict[tuple[str, str], TypeEntry | None]:
    """Entries by package (`opencompass.models`, `tasks.models`) and name; None where two share both."""
    areas: dict[tuple[str, str], TypeEntry | None] = {}
    for entry in TABLE:
        for path in (entry.ours, entry.opencompass):
            key = (_area(path), entry.name)
            other = areas.get(key, entry)
            areas[key] = entry if other and other.ours == entry.ours else None
    return areas


@cache
def _by_short_name() -> dict[str, tuple[TypeEntry, ...]]:
    names: dict[str, tuple[TypeEntry, ...]] = {}
    for entry in TABLE:
        for name in {entry.name, entry.registered or entry.name}:
            names[name] = (*names.get(name, ()), entry)
    return names


def _area(path: str) -> str:
    return ".".join(path.split(".")[:2])


def entry_of(path: str) -> TypeEntry | None:
    """The entry that a dotted path of ours or of OpenCompass means, whichever module of the package it names."""
    return _by_path().get(path) or _by_area().get((_area(path), path.rpartition(".")[2]))


def entries_named(name: str) -> tuple[TypeEntry, ...]:
    """The entries with this short or registered name."""
    return _by_short_name().get(name, ())


def short_names(kind: Kind) -> list[str]:
    """All short names of one kind."""
    return [name for name, entries in _by_short_name().items() if any(entry.kind == kind for entry in entries)]
