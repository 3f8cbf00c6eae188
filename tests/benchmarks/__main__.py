"""`make bench`: measures every row, prints the table, and fails if a budget is missed."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from benchmarks.bench import ROOT, open_bench
from benchmarks.document import missed, table, write
from benchmarks.rows import Row
from benchmarks.scenarios import SCENARIOS
from rich.console import Console

_PAGE = ROOT / "docs" / "benchmarks.md"


def main() -> int:
    """Exit status 1 if a median is beyond its budget."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the server that was started is stopped
    console = Console(soft_wrap=True, highlight=False)
    measured: dict[Row, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="compass-bench-") as folder, open_bench(Path(folder)) as bench:
        for repetition in range(options.repetitions):
            for name in options.only or SCENARIOS:
                console.print(f"{repetition + 1}/{options.repetitions} {name}")
                for row, value in SCENARIOS[name](bench).items():
                    measured.setdefault(row, []).append(value)
    console.print(table(measured, "simple"), markup=False)
    if options.write:
        write(_PAGE, measured)
    over = missed(measured)
    for row in over:
        console.print(f"missed: {row.name}", markup=False)
    return 1 if over else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repetitions", type=int, default=3, metavar="N", help="of which medians are taken")
    parser.add_argument("--only", nargs="+", choices=SCENARIOS, metavar="NAME", help=", ".join(SCENARIOS))
    parser.add_argument("--write", action="store_true", help=f"put the table into {_PAGE.relative_to(ROOT)}")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
