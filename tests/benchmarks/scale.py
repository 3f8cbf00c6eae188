"""How a run grows: with the samples of one dataset, with the pairs of one run.

`PYTHONPATH=.:tests .venv/bin/python -P -m benchmarks.scale` makes every figure of `docs/scaling.md`. It takes hours at
full size, so it is no part of `make bench`.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks.bench import Bench, open_bench
from benchmarks.mock_server import MockServer, mock_server
from benchmarks.prefect_api import PrefectApi
from benchmarks.processes import cpu_so_far, wait_until_idle
from rich.console import Console
from tabulate import tabulate

from flows.local_server.state import server_files

_MODELS, _PAIR_ROWS = 10, 10
_SECONDS_WITHOUT_NEWS = 15.0
Figures = dict[str, float]


def samples(bench: Bench, server: MockServer, count: int) -> Figures:
    """One dataset of so many samples: asked, scored, summarised, and the finished run once more; no Prefect."""
    config = bench.workspace.plain({f"samples{count}": count}, server.api, f"samples{count}")
    unit = bench.import_prefect()
    server.seen()
    infer = bench.compass(config, "--inline", "-m", "infer")
    asked = server.seen().requests
    assert asked == count, f"{asked} requests for {count} samples"
    score = bench.compass(config, "--inline", "-r", "-m", "eval")
    again = bench.compass(config, "--inline", "-r")
    assert server.seen().requests == 0, "the finished run asked again"
    return {
        "infer, ms CPU per sample": 1000 * infer.cpu / count,
        "infer, MB": infer.peak_mb,
        "score, ms CPU per sample": 1000 * score.cpu / count,
        "score, MB": score.peak_mb,
        "finished run again, × import prefect": again.cpu / unit,
        "finished run again, MB": again.peak_mb,
        "folder, kB per sample": _kilobytes(bench.folder / f"samples{count}") / count,
    }


def pairs(bench: Bench, server: MockServer, count: int) -> Figures:
    """So many pairs of ten models and ten samples each, without Prefect."""
    config = _many_pairs(bench, server, count, "pairs")
    unit = bench.import_prefect()
    server.seen()
    first = bench.compass(config, "--inline")
    asked = server.seen().requests
    assert asked == count * _PAIR_ROWS, f"{asked} requests for {count} pairs"
    again = bench.compass(config, "--inline", "-r")
    assert server.seen().requests == 0, "the finished run asked again"
    return {
        "run, ms CPU per pair": 1000 * first.cpu / count,
        "run, MB": first.peak_mb,
        "finished run again, ms CPU per pair": 1000 * again.cpu / count,
        "finished run again, × import prefect": again.cpu / unit,
        "finished run again, MB": again.peak_mb,
        "folder, kB per pair": _kilobytes(bench.folder / f"pairs{count}") / count,
    }


def prefect_pairs(bench: Bench, server: MockServer, count: int) -> Figures:
    """So many pairs with Prefect: what the server has to hold, and whether it still answers."""
    config = _many_pairs(bench, server, count, "prefect_pairs")
    database = server_files(bench.environ).home / "prefect.db"
    wait_until_idle(bench.server_process)
    api, pages = PrefectApi(bench.environ), _pages_of_a_small_run(bench, server)
    before, size, runs = cpu_so_far(bench.server_process), _kilobytes(database), api.task_runs()
    client = bench.compass(config)
    _wait_for_task_runs(api)
    wait_until_idle(bench.server_process, timeout=600)
    return {
        "client, ms CPU per pair": 1000 * client.cpu / count,
        "client, MB": client.peak_mb,
        "server, ms CPU per pair": 1000 * (cpu_so_far(bench.server_process) - before) / count,
        "task runs": api.task_runs() - runs,
        "database, kB": _kilobytes(database) - size,
        **{f"{name}, × that of a small run": cost / pages[name] for name, cost in api.pages().items()},
    }


SCENARIOS: Mapping[str, Callable[[Bench, MockServer, int], Figures]] = {
    "samples": samples,
    "pairs": pairs,
    "prefect-pairs": prefect_pairs,
}


def growth(measured: Mapping[int, Figures]) -> str:
    """A table: a line per figure, a column per size, and the last size's figure as a multiple of the first's."""
    sizes = sorted(measured)
    lines = [
        [name, *(f"{measured[size][name]:.3g}" for size in sizes), _ratio(measured[sizes[0]][name], last)]
        for name, last in measured[sizes[-1]].items()
    ]
    return tabulate(lines, ["figure", *(f"{size:,}" for size in sizes), "last ÷ first"], disable_numparse=True)


def main() -> int:
    """Measures each scenario at each size; a figure per unit that grows with the size is one that is not linear."""
    options = _options()
    console = Console(soft_wrap=True, highlight=False)
    raw: dict[str, dict[int, Figures]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="compass-scale-", dir=options.folder) as folder,
        open_bench(Path(folder), with_server=bool(options.prefect_pairs)) as bench,
        mock_server(bench.mock_program, 0) as server,
    ):
        bench.import_prefect()  # compiles it
        for name, scenario in SCENARIOS.items():
            for size in getattr(options, name.replace("-", "_")):
                raw.setdefault(name, {})[size] = scenario(bench, server, size)
                console.print(f"{name} {size:,}: {raw[name][size]}", markup=False)
                if options.raw:
                    options.raw.write_text(json.dumps(raw, indent=2))
    for name, measured in raw.items():
        console.print(f"\n{name}\n{growth(measured)}", markup=False)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--samples", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], metavar="N")
    parser.add_argument("--pairs", type=int, nargs="*", default=[100, 1_000, 10_000], metavar="N")
    parser.add_argument("--prefect-pairs", type=int, nargs="*", default=[1_000, 10_000], metavar="N")
    parser.add_argument("--folder", type=Path, help="where the runs are written; default: the system's")
    parser.add_argument("--raw", type=Path, metavar="FILE", help="the figures as JSON, after every measurement")
    return parser.parse_args()


def _many_pairs(bench: Bench, server: MockServer, count: int, name: str) -> str:
    sets = {f"pair{number}": _PAIR_ROWS for number in range(count // _MODELS)}
    return bench.workspace.plain(sets, server.api, f"{name}{count}", models=_MODELS)


def _pages_of_a_small_run(bench: Bench, server: MockServer) -> dict[str, float]:
    bench.compass(_many_pairs(bench, server, _MODELS, "small"))
    api = PrefectApi(bench.environ)
    _wait_for_task_runs(api)
    wait_until_idle(bench.server_process)
    return api.pages()


def _wait_for_task_runs(api: PrefectApi) -> None:
    """Until the server has written down what it was told: it does so in the background."""
    before, now = -1, api.task_runs()
    while before != now:
        time.sleep(_SECONDS_WITHOUT_NEWS)
        before, now = now, api.task_runs()


def _kilobytes(path: Path) -> float:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files) / 1000


def _ratio(first: float, last: float) -> str:
    return f"{last / first:.2f}" if first else ""


if __name__ == "__main__":
    sys.exit(main())
