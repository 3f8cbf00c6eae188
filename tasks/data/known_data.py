"""Are the rows those of the benchmark? Numbers of rows and digests of published test splits, and what differs."""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from tasks.data.interface import LoadedDataset
from tasks.spec.config.bases import PACKAGED_CONFIGS
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import DatasetSpec
from tasks.spec.storage.jsonable import jsonable

_TABLE = PACKAGED_CONFIGS / "datasets" / "known_data.json"
DIGITS = 16
"""Hex digits of a digest that are kept."""
_NAMED = 3


class KnownSplit(NamedTuple):
    """A published test split as its loader gives it."""

    rows: int
    digest: str = ""
    """First digits of `LoadedDataset.test_digest`; empty where no copy was at hand to compute it."""


def data_key(spec: DatasetSpec) -> str:
    """What the known splits of a dataset stand under: its class and its arguments, wherever the files lie."""
    arguments = {name: value for name, value in spec.arguments.items() if name != "path"}
    text = json.dumps(jsonable(arguments), sort_keys=True, ensure_ascii=False)
    return f"{spec.type.rpartition('.')[2]} {text}" if arguments else spec.type.rpartition(".")[2]


def unknown_data(loaded: Iterable[tuple[DatasetSpec, LoadedDataset]]) -> list[Finding]:
    """One warning for all datasets of a class whose test split is none of the published ones."""
    differing: dict[str, list[tuple[DatasetSpec, str]]] = {}
    for spec, data in loaded:
        if difference := _difference(data, known_splits().get(data_key(spec), ())):
            differing.setdefault(spec.type, []).append((spec, difference))
    return [_warning(found) for found in differing.values()]


def _difference(data: LoadedDataset, known: Sequence[KnownSplit]) -> str:
    if not known or any(_equals(data, split) for split in known):
        return ""
    counts = sorted({split.rows for split in known})
    if len(data.test) not in counts:
        return f"{len(data.test):,} rows in place of {' or '.join(f'{count:,}' for count in counts)}"
    return f"{len(data.test):,} rows of another content"


def _equals(data: LoadedDataset, split: KnownSplit) -> bool:
    return len(data.test) == split.rows and data.test_digest.startswith(split.digest)


def _warning(found: Sequence[tuple[DatasetSpec, str]]) -> Finding:
    shown = "; ".join(f"{spec.abbr} has {difference}" for spec, difference in found[:_NAMED])
    more = f"; and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    message = f"these are not the published data: {shown}{more}"
    remedy = "scores may not be comparable with published ones"
    return Finding(message, found[0][0].place, remedy, FindingKind.WARNING)


@cache
def known_splits() -> dict[str, tuple[KnownSplit, ...]]:
    """The published test splits by `data_key`."""
    table: dict[str, list[dict[str, Any]]] = json.loads(_TABLE.read_text(encoding="utf-8"))
    return {key: tuple(KnownSplit(**split) for split in splits) for key, splits in table.items()}
