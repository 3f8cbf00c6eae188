"""`compass compare-configs`: what two configurations, or two folders of them, differ in."""

import argparse
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from flows.output.console import out, say
from tasks.spec.config.dump import dump_config
from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError


def main(argv: Sequence[str]) -> int:
    """Prints the differences of the effective values; 1 if there are any."""
    parser = argparse.ArgumentParser(
        prog="compass compare-configs",
        description="Compares effective values: comments, order of keys and the way a value is written do not count.",
    )
    parser.add_argument("first", type=Path, help="a configuration file, or a folder of them")
    parser.add_argument("second", type=Path, help="another one")
    arguments = parser.parse_args(argv)
    lines = list(_differences(arguments.first.expanduser(), arguments.second.expanduser()))
    for line in lines:
        out.print(line, markup=False)
    say("no difference" if not lines else f"{sum(line.startswith(('+', '-', 'only')) for line in lines)} lines differ")
    return 1 if lines else 0


def _differences(first: Path, second: Path) -> Iterator[str]:
    if not first.is_dir() and not second.is_dir():
        yield from unified_diff(_lines(first), _lines(second), str(first), str(second), lineterm="", n=2)
        return
    names = [{file.relative_to(root) for file in root.rglob("*.py")} for root in (first, second)]
    for name in sorted(names[0] ^ names[1]):
        yield f"only in {first if name in names[0] else second}: {name}"
    for name in sorted(names[0] & names[1]):
        yield from _differences(first / name, second / name)


def _lines(path: Path) -> list[str]:
    try:
        return dump_config(load_config(path).values).splitlines()
    except UserError as error:
        return [f"# cannot be read: {error}"]
