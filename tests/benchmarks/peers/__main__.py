"""Measures this system and others in one run; what was measured is kept, and a later start goes on from there."""

import argparse
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.bench import ROOT, open_bench
from benchmarks.peers.document import table, write
from benchmarks.peers.environments import version
from benchmarks.peers.measures import FAILED, Figures
from benchmarks.peers.peer import Peer
from benchmarks.peers.registry import PEERS
from benchmarks.peers.scenarios import SCENARIOS
from benchmarks.peers.stand import Stand
from benchmarks.peers.store import Store
from rich.console import Console

_PAGE = ROOT / "docs/benchmarks.md"
_RAW = ROOT / "docs/benchmarks_peers.json"
_FOLDER = ROOT / "build/peers"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, whatever was measured: a system that fails is a cell that says so."""
    options = _options(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is stopped
    console = Console(soft_wrap=True, highlight=False)
    kept = options.folder / "measured.json"
    if options.fresh:
        kept.unlink(missing_ok=True)
    store = Store(kept)
    missing = list(_missing(store, options))
    if missing:
        _measure(store, options, missing, console)
    titles = {name: PEERS[name].title for name in options.peers}
    console.print(table(store.figures, titles, "simple"), markup=False)
    if options.write:
        store.save(_RAW)
        everything = {name: entry.title for name, entry in PEERS.items()}
        shown = table(store.figures, everything, "github")
        write(_PAGE, "\n\n".join([shown, f"Raw figures and machine: [{_RAW.name}]({_RAW.name}).", settings()]))
    return 0


def _measure(store: Store, options: argparse.Namespace, missing: Sequence[tuple[str, str]], console: Console) -> None:
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="compass-peers-")))
        bench = stack.enter_context(open_bench(scratch, with_server=False))
        bench.import_prefect()  # compiles what the unit imports
        ready: dict[str, Peer | str] = {}
        for name in dict.fromkeys(name for _, name in missing):
            console.print(f"made ready: {name}")
            ready[name] = _opened(stack, name, options.folder)
        for scenario, name in missing:
            peer = ready[name]
            console.print(f"{len(store.of(scenario, name)) + 1}/{options.repeat} {scenario}: {name}")
            if isinstance(peer, str):
                figures: Figures = {FAILED: peer}
            else:
                figures = measure(Stand(peer, bench, scratch / "data", options.timeout), scenario)
            store.add(scenario, name, figures)


def settings() -> str:
    """What was installed and chosen, as a list for the page."""
    lines = [f"- {entry.title} {version(name.replace('-', '_'))}: {entry.settings}" for name, entry in PEERS.items()]
    return "\n".join(line.replace(" :", ":") for line in lines)


def measure(stand: Stand, scenario: str) -> Figures:
    """The figures, or why there are none."""
    try:
        return SCENARIOS[scenario](stand)
    except Exception as failure:  # noqa: BLE001 - whatever a system does wrong, the others are measured
        return {FAILED: _in_words(failure)}


def _opened(stack: ExitStack, name: str, folder: Path) -> Peer | str:
    try:
        return stack.enter_context(PEERS[name].open(folder))
    except Exception as failure:  # noqa: BLE001 - the same
        return _in_words(failure)


def _in_words(failure: Exception) -> str:
    """One line for a cell; the whole failure is told on the way."""
    traceback.print_exception(failure)
    first, *_ = str(failure).splitlines() or [""]
    return f"{type(failure).__name__}: {first}"[:120]


def _missing(store: Store, options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Scenarios and systems of the repetitions that are not there, one repetition of all after the other."""
    for repetition in range(options.repeat):
        for scenario in options.rows:
            for name in options.peers:
                if len(store.of(scenario, name)) <= repetition:
                    yield scenario, name


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument(
        "--rows", nargs="+", choices=SCENARIOS, default=[*SCENARIOS], metavar="NAME", help=_names(SCENARIOS)
    )
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=[*PEERS], metavar="NAME", help=_names(PEERS))
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="repetitions, of which medians are taken")
    parser.add_argument("--timeout", type=float, default=600, metavar="S", help="seconds for one command (default 600)")
    parser.add_argument("--folder", type=Path, default=_FOLDER, help="for environments and raw figures; kept")
    parser.add_argument("--fresh", action="store_true", help="forget what was measured before")
    parser.add_argument("--write", action="store_true", help=f"put all into {_PAGE.name} and {_RAW.name}")
    return parser.parse_args(arguments)


def _names(names: Iterable[str]) -> str:
    return ", ".join(names)


if __name__ == "__main__":
    sys.exit(main())
