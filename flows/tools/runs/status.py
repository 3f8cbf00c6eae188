"""`compass status`: how far a run is, from its folder alone."""

import argparse
import fcntl
import json
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tabulate import tabulate

from flows.output.console import out
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.infer.ledger.ledger import Ledger
from tasks.spec.storage.run_folder import RunFolder, read_json

_STAGES = ("infer", "eval")


class PairStatus(NamedTuple):
    """What the files of a run say about one pair."""

    model: str
    dataset: str
    infer: str
    done: int
    total: int
    errors: int
    eval: str
    reason: str


def main(argv: Sequence[str]) -> int:
    """Prints the state of a run; 1 if something in it failed."""
    parser = argparse.ArgumentParser(prog="compass status", description="How far a run is, from its folder alone.")
    add_run_arguments(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")
    arguments = parser.parse_args(argv)
    folder = chosen_run(arguments)
    pairs = read_status(folder)
    record = _newest_invocation(folder)
    holder = lock_holder(folder)
    if arguments.json:
        pair_records = [pair._asdict() for pair in pairs]
        value = {"run_folder": str(folder.root), "holder": holder, "invocation": record, "pairs": pair_records}
        out.print(json.dumps(value, indent=2), markup=False)
    else:
        _show(folder, record, holder, pairs)
    return 1 if any("fail" in (pair.infer, pair.eval) for pair in pairs) else 0


def read_status(folder: RunFolder) -> list[PairStatus]:
    """The pairs that the run has touched, by model and dataset; counts come from the ledger while it runs."""
    states = {stage: _states(folder.root / f"{stage}_status") for stage in _STAGES}
    names = dict.fromkeys([*states["infer"], *states["eval"]])
    return [_pair(folder, name, states["infer"].get(name, {}), states["eval"].get(name, {})) for name in names]


def lock_holder(folder: RunFolder) -> str | None:
    """Process and host that work on the run now; None if nobody does."""
    path = folder.root / ".lock"
    if not path.is_file():
        return None
    with path.open("r", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return file.read().strip() or "another process"
    return None


def _states(root: Path) -> dict[tuple[str, str], dict[str, Any]]:
    return {(file.parent.name, file.stem): _json(file) for file in sorted(root.glob("*/*.json"))}


def _pair(folder: RunFolder, name: tuple[str, str], infer: dict[str, Any], evaluation: dict[str, Any]) -> PairStatus:
    counted = _ledger_counts(folder.root / "predictions" / name[0] / ".ledger" / name[1])
    total = int(infer.get("total", 0))
    done = total if infer.get("status") == "done" else min(counted[0], total) if total else counted[0]
    reason = infer.get("reason") or evaluation.get("reason") or ""
    return PairStatus(*name, infer.get("status", "-"), done, total, counted[1], evaluation.get("status", "-"), reason)


def _ledger_counts(folder: Path) -> tuple[int, int]:
    """Requests with an answer and with an error, by the last record of each."""
    with closing(Ledger(folder)) as ledger:
        answered = ledger.answered
        return answered, len(ledger) - answered


def _newest_invocation(folder: RunFolder) -> dict[str, Any]:
    invocations = _json(folder.run_file).get("invocations") or [{}]
    return invocations[-1] if isinstance(invocations[-1], dict) else {}


def _json(path: Path) -> dict[str, Any]:
    try:
        content = read_json(path)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _show(folder: RunFolder, record: dict[str, Any], holder: str | None, pairs: Sequence[PairStatus]) -> None:
    out.print(f"run folder: {folder.root}", markup=False)
    ended = record.get("exit_status")
    state = (
        f"running: {holder}" if holder else f"ended with exit status {ended}" if ended is not None else "not running"
    )
    out.print(
        f"{state}; started {record.get('started', '?')} on {record.get('host', '?')}, pid {record.get('pid', '?')}"
    )
    if holder:
        out.print(f"rate: {_rate(folder):.1f} requests/s now")
    rows = [
        (pair.model, pair.dataset, pair.infer, f"{pair.done}/{pair.total}", pair.errors, pair.eval, pair.reason)
        for pair in pairs
    ]
    headers = ("model", "dataset", "infer", "samples", "errors", "eval", "reason")
    out.print(tabulate(rows, headers=headers, disable_numparse=True), markup=False)
    jobs = sorted(path.name for path in (folder.root / "jobs").glob("*.json"))
    if jobs:
        out.print(f"jobs: {', '.join(jobs)}", markup=False)


def _rate(folder: RunFolder) -> float:
    """Answers per second, measured over a second."""
    before, started = _records(folder), time.monotonic()
    time.sleep(1.0)
    return (_records(folder) - before) / (time.monotonic() - started)


def _records(folder: RunFolder) -> int:
    files = (folder.root / "predictions").glob("*/.ledger/*/*.jsonl")
    return sum(file.read_bytes().count(b"\n") for file in files)
