"""`compass list`: the configurations that can be named."""

import argparse
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from tasks.spec.config.lookup import ConfigKind, all_configs
from tasks.spec.config.outline import ConfigOutline, outline

_KINDS: tuple[ConfigKind, ...] = ("models", "datasets", "summarizers")
_HEADERS: dict[ConfigKind, tuple[str, ...]] = {
    "models": ("model", "class", "backend", "path"),
    "datasets": ("dataset", "way", "class", "samples", "path"),
    "summarizers": ("summarizer", "path"),
}


def main(argv: Sequence[str]) -> int:
    """Prints one table per kind."""
    parser = argparse.ArgumentParser(prog="compass list", description="The configurations that can be named.")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN", help="only names that contain one of these words")
    parser.add_argument("--config-dir", metavar="DIR", help="searched before the packaged configs (./configs)")
    parser.add_argument("--catalogue", action="store_true", help="the page on all benchmarks, in Markdown")
    arguments = parser.parse_args(argv)
    if arguments.catalogue:
        return _print_catalogue()
    config_dir = Path(arguments.config_dir or "configs").expanduser()
    tables: list[tuple[ConfigKind, list[tuple[str, ...]]]] = [
        (kind, _rows(kind, arguments.patterns, config_dir)) for kind in _KINDS
    ]
    from tabulate import tabulate

    from flows.output.console import out, say

    for kind, rows in tables:
        if rows:
            table = tabulate(rows, headers=_HEADERS[kind], tablefmt="psql", disable_numparse=True)
            out.print(f"{table}\n", markup=False)
    if not any(rows for _, rows in tables):
        say(f"no configuration is named like {' or '.join(arguments.patterns)}")
        return 1
    return 0


def _print_catalogue() -> int:
    from flows.output.console import out
    from flows.tools.configs.catalogue import catalogue

    out.print(catalogue(), markup=False, highlight=False, soft_wrap=True, end="")
    return 0


def _rows(kind: ConfigKind, patterns: Sequence[str], config_dir: Path) -> list[tuple[str, ...]]:
    files = [file for file in all_configs(kind, config_dir) if _matches(file.stem, patterns)]
    return [_row(kind, file) for file in files]


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name.lower(), f"*{pattern.lower()}*") for pattern in patterns)


def _row(kind: ConfigKind, file: Path) -> tuple[str, ...]:
    if kind == "summarizers":
        return (file.stem, _shown(file))
    about: ConfigOutline = outline(file, "model" if kind == "models" else "dataset")
    if kind == "models":
        return (file.stem, about.type, about.backend, _shown(file))
    samples = "?" if about.samples is None else str(about.samples)
    return (file.stem, about.way, about.type, samples, _shown(file))


def _shown(file: Path) -> str:
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)
