"""The table of published test splits, made from the benchmark files beside the checkout.

`python -P -m support.known_data` (with `tests` and the checkout on PYTHONPATH, and COMPASS_DATA_CACHE set to the folder
that holds `data`) adds the digests of every packaged dataset whose rows can be loaded. Entries that other copies of the
data have stay: look at what changed before it is committed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support.repository import ROOT

from tasks.data.interface import LoadedDataset
from tasks.data.known_data import DIGITS, data_key
from tasks.data.loading import load_dataset
from tasks.spec.build import build_datasets
from tasks.spec.config.lookup import load_named
from tasks.spec.findings import UserError
from tasks.spec.specs import DatasetSpec
from tasks.spec.values import ConfigDict

TABLE = ROOT / "configs" / "datasets" / "known_data.json"
OWN_ROWS = ("demo", "custom", "chatml", "ruler", "needlebench")
"""Beginnings of loader modules whose rows are no published benchmark."""


def packaged_specs(*stems: str) -> list[DatasetSpec]:
    """The datasets of packaged configurations, all of them by default."""
    names = stems or sorted({file.stem for file in (ROOT / "configs" / "datasets").rglob("*_*.py")})
    entries = [entry for name in names for entry in load_named("datasets", [name])]
    unique = {json.dumps([entry.get("abbr"), index]): entry for index, entry in enumerate(entries)}
    specs: list[DatasetSpec] = []
    for entry in unique.values():
        built, findings = build_datasets(ConfigDict(datasets=[entry]))
        assert not findings, findings
        specs += built
    return specs


def loadable(specs: list[DatasetSpec]) -> Iterator[tuple[DatasetSpec, LoadedDataset]]:
    """Those whose data lie on this machine."""
    for spec in specs:
        try:
            yield spec, load_dataset(spec)
        except UserError:
            continue


def main() -> None:
    """Writes the table."""
    table: dict[str, list[dict[str, Any]]] = json.loads(TABLE.read_text()) if TABLE.is_file() else {}
    for spec, data in loadable(packaged_specs()):
        if spec.type.rpartition(".")[0].rpartition(".")[2].startswith(OWN_ROWS):
            continue
        known = table.setdefault(data_key(spec), [])
        split = {"rows": len(data.test), "digest": data.test_digest[:DIGITS]}
        counted = any(entry["rows"] == split["rows"] and not entry.get("digest") for entry in known)
        if split not in known and not counted:
            known.append(split)
    write_table(TABLE, table)


def write_table(path: Path, table: dict[str, list[dict[str, Any]]]) -> None:
    """One line per key, sorted."""
    lines = [f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(table[key])}" for key in sorted(table)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
