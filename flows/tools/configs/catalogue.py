"""The catalogue of benchmarks as a page in Markdown: what configurations say, and `configs/datasets/about.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tasks.data.known_data import data_key, known_splits
from tasks.spec.build import build_datasets
from tasks.spec.config.bases import PACKAGED_CONFIGS
from tasks.spec.config.values import ConfigDict
from tasks.spec.names.lookup import load_named
from tasks.spec.specs import DatasetSpec

_FOLDER = PACKAGED_CONFIGS / "datasets"
_WAYS = {"PPLInferencer": "ppl", "LLInferencer": "ll", "CLPInferencer": "clp"}
_JUDGES = ("GenericLLMEvaluator", "CascadeEvaluator", "LMEvaluator")
_HEAD = """\
# Benchmarks

Made by `compass list --catalogue`. Configurations are names for `--datasets`, the recommended one first; rows are those
of that one, `?` where they are not known before the data are there. Licences are those of the data, as their authors
state them.
"""
_COLUMNS = ("Benchmark", "What it measures", "Rows", "Way", "Metric", "Licence", "Source", "Configurations")


@dataclass(frozen=True)
class Benchmark:
    """The configurations of one folder."""

    folder: str
    """Relative to `configs/datasets`."""
    files: tuple[Path, ...]
    """The recommended one first."""
    about: Mapping[str, str]

    @property
    def title(self) -> str:
        return self.about["title"]

    @cached_property
    def specs(self) -> list[list[DatasetSpec]]:
        """The data sets of each file."""
        return [_specs(file.stem) for file in self.files]

    @property
    def cells(self) -> tuple[str, ...]:
        """One row of the table."""
        about = self.about
        names = ", ".join(f"`{file.stem}`" for file in self.files)
        ways = dict.fromkeys(way for specs in self.specs for spec in specs for way in _ways(spec))
        return (
            self.title,
            about["measures"],
            about.get("rows") or _rows(self.specs[0]),
            ", ".join(ways),
            about["metric"],
            about["licence"],
            about["source"],
            names,
        )


def catalogue() -> str:
    """The page: a table for each area, in the order of `about.toml`."""
    found = benchmarks()
    areas = dict.fromkeys(benchmark.about["area"] for benchmark in found)
    sections = [_section(area, [one for one in found if one.about["area"] == area]) for area in areas]
    return "\n".join([_HEAD, *sections])


def benchmarks() -> list[Benchmark]:
    """All that come with the product, in the order of `about.toml`; KeyError for a folder it does not tell of."""
    about = tomllib.loads((_FOLDER / "about.toml").read_text(encoding="utf-8"))
    folders: dict[str, list[Path]] = {}
    for file in sorted(_FOLDER.rglob("*.py")):
        if file.stem != "__init__":
            folders.setdefault(file.parent.relative_to(_FOLDER).as_posix(), []).append(file)
    found = [Benchmark(folder, _recommended_first(files), about[folder]) for folder, files in folders.items()]
    return sorted(found, key=lambda benchmark: list(about).index(benchmark.folder))


def _recommended_first(files: Sequence[Path]) -> tuple[Path, ...]:
    """`<name>_gen`, else `<name>_ppl`, else the shortest name."""
    name = files[0].parent.name

    def rank(file: Path) -> tuple[bool, bool, int, str]:
        return file.stem != f"{name}_gen", file.stem != f"{name}_ppl", len(file.stem), file.stem

    return tuple(sorted(files, key=rank))


def _specs(name: str) -> list[DatasetSpec]:
    specs, _ = build_datasets(ConfigDict(datasets=load_named("datasets", [name])))
    return list(specs)


def _ways(spec: DatasetSpec) -> list[str]:
    way = _WAYS.get(spec.inferencer["type"].rpartition(".")[2], "gen")
    evaluator = str((spec.eval_cfg.get("evaluator") or {}).get("type", ""))
    return [way, *(["judge"] if evaluator.endswith(_JUDGES) else [])]


def _rows(specs: Sequence[DatasetSpec]) -> str:
    counts = [known[0].rows if (known := known_splits().get(data_key(spec))) else None for spec in specs]
    return "?" if None in counts else f"{sum(count for count in counts if count):,}"


def _section(area: str, found: Sequence[Benchmark]) -> str:
    lines = ["| " + " | ".join(_COLUMNS) + " |", "|" + "---|" * len(_COLUMNS)]
    lines += ["| " + " | ".join(benchmark.cells) + " |" for benchmark in found]
    return f"## {area}\n\n" + "\n".join(lines) + "\n"
