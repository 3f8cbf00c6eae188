"""Whether a run that was disturbed came to the same as one that was not, and what it left behind."""

import asyncio
import csv
import os
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from chaos.evaluation import DATASETS, MODELS
from support.chaos import outcome, parse_or_none

from tasks.spec.storage.file_locks import try_lock

MARK = "COMPASS_CHAOS_ROUND"
"""A variable by which the processes of a round are known."""
_DIFFERS = frozenset({"latency", "attempts", "usage", "time", "request_id", "id"})


class Expected(NamedTuple):
    """What an undisturbed run comes to."""

    result: dict[str, Any]
    needed: Counter[str]
    """Its requests, by body."""


def result_of(run_folder: Path) -> dict[str, Any]:
    """Predictions, scores and the newest summary, without what differs between equal runs."""
    return {**_plain(outcome(run_folder)), "summary": _summary(run_folder)}


def differences(run_folder: Path, expected: Expected) -> list[str]:
    """The files that are not as they should be; empty if all are."""
    try:
        found = result_of(run_folder)
    except (OSError, ValueError, KeyError) as error:
        return [f"unreadable: {error!r}"]
    wanted = expected.result
    return sorted(name for name in found.keys() | wanted.keys() if found.get(name) != wanted.get(name))


def asked_in_vain(asked: Counter[str], needed: Counter[str]) -> int:
    """How many requests were more than needed; fails for one that never came."""
    assert not needed - asked, f"{sum((needed - asked).values())} requests were never asked"
    return (asked - needed).total()


def missing_in_station(url: str) -> list[str]:
    """What the station lacks of a whole run, or has twice; empty if it is as it should be."""
    kept, pairs = asyncio.run(_kept(url))
    return [] if kept == pairs == MODELS * DATASETS else [f"the station has {kept} results of {pairs} pairs"]


def leftovers(run_folder: Path) -> list[str]:
    """Files that nobody writes any more, and that never became what they were to be."""
    return [str(path.relative_to(run_folder)) for path in run_folder.rglob(".*.tmp")]


def recorded_answers(run_folder: Path) -> int:
    """Readable records in the ledgers of models and judges."""
    lines = (line for file in run_folder.rglob(".ledger/**/*.jsonl") for line in file.read_bytes().split(b"\n"))
    return sum(parse_or_none(line) is not None for line in lines if line)


def is_locked(run_folder: Path) -> bool:
    """Whether anybody holds the run folder."""
    descriptor = try_lock(run_folder / ".lock")
    if descriptor is not None:
        os.close(descriptor)
    return descriptor is None


def processes_of(token: str, folder: Path) -> dict[int, str]:
    """Living processes of a round, with their command lines: they have its mark, or were told a file of its folder."""
    found: dict[int, str] = {}
    mark = f"{MARK}={token}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if str(folder) in command or mark in (process / "environ").read_bytes().split(b"\0"):
                found[int(process.name)] = command
        except OSError:
            continue
    return found


async def _kept(url: str) -> tuple[int, int]:
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        found = await connection.fetchrow("SELECT count(*), count(DISTINCT (model, dataset)) FROM compass_pairs")
        return tuple(found)
    finally:
        await connection.close()


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items() if name not in _DIFFERS}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _summary(run_folder: Path) -> list[list[str]]:
    made = [path for path in run_folder.glob("summary/summary_*.csv") if not path.stem.endswith("_samples")]
    newest = max(made, key=lambda path: path.stat().st_mtime_ns, default=None)
    if newest is None:
        return []
    with newest.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))
