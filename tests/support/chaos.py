"""Kills runs at random moments, and tells whether anything was lost or asked in vain."""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.workspace import Workspace, kill_group, stored

from tasks.spec.status import Status
from tasks.spec.storage.json_text import parse_json
from tasks.spec.storage.run_folder import read_json

ROUNDS = int(os.environ.get("COMPASS_CHAOS_ROUNDS", "3"))
"""How often a test kills; `make chaos` asks for more."""


def chance() -> random.Random:
    """Random numbers of a seed that is printed; COMPASS_CHAOS_SEED repeats a failure."""
    seed = int(os.environ.get("COMPASS_CHAOS_SEED") or random.SystemRandom().randrange(10**6))
    print(f"COMPASS_CHAOS_SEED={seed}")  # noqa: T201 shown with a failure
    return random.Random(seed)


@dataclass
class Chaos:
    """Runs of one workspace, most of which do not live to their end."""

    workspace: Workspace
    chance: random.Random
    most_in_flight: int = 4
    """What the configuration allows at once."""
    kills: int = 0
    torn: int = 0
    """Records that lost their end."""
    kill: Callable[[Any], None] = kill_group
    environ: dict[str, str] = field(default_factory=dict)

    def run_and_kill(self, *arguments: str) -> None:
        """Kills the run, with all its processes, at a random moment, often while it asks."""
        process = self.workspace.start(*arguments, *self._reuse(), environ=self.environ)
        if self.chance.random() < 0.7:
            self._await_requests(process, self.chance.randrange(1, 25))
            time.sleep(self.chance.uniform(0, 0.03))
        else:
            time.sleep(self.chance.uniform(0.2, 3))
        self.kill(process)
        self.kills += 1
        if self.chance.random() < 0.5:
            self.torn += self.tear(process.pid)

    def finish(self, *arguments: str) -> str:
        """Runs to the end; returns what it printed."""
        done = self.workspace.run(*arguments, *self._reuse(), environ=self.environ)
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def tear(self, pid: int) -> int:
        """Cuts the last record that the killed process wrote in its middle, as a crash within the write does."""
        files = sorted(self.workspace.work_dir.rglob(f"*-{pid}.jsonl"), key=lambda path: path.name)
        if not files or _is_finished(files[-1]) or not files[-1].read_bytes().endswith(b"\n"):
            return 0
        last = files[-1].read_bytes().split(b"\n")[-2]
        os.truncate(files[-1], files[-1].stat().st_size - self.chance.randrange(1, len(last) + 2))
        return 1

    def most_repeated(self) -> int:
        """How many requests the kills may have cost."""
        return self.kills * self.most_in_flight + self.torn

    def _reuse(self) -> list[str]:
        return ["-r"] if self.workspace.work_dir.exists() and any(self.workspace.work_dir.iterdir()) else []

    def _await_requests(self, process: Any, more: int) -> None:
        start, end = self.workspace.server.requests, time.monotonic() + 60
        while self.workspace.server.requests < start + more and process.poll() is None:
            assert time.monotonic() < end, "the run asks nothing"
            time.sleep(0.002)


def asked_in_vain(workspace: Workspace, needed: Counter[str]) -> int:
    """How many requests were more than `needed`, by body; the test fails for one that never came."""
    bodies = workspace.server.bodies
    assert not needed - bodies, "a request was never asked"
    return sum((bodies - needed).values())


def recorded(run_folder: Path) -> Counter[tuple[str, str]]:
    """How often each request of each dataset has a recorded answer."""
    keys: Counter[tuple[str, str]] = Counter()
    for file in run_folder.rglob(".ledger/*/*.jsonl"):
        records = (record for record in _records(file) if Status(record["status"]).is_final)
        keys.update((file.parent.name, record["key"]) for record in records)
    return keys


def _is_finished(ledger_file: Path) -> bool:
    """Whether a part was finished after the last record, which then was written for good."""
    written = ledger_file.stat().st_mtime_ns
    return any(part.stat().st_mtime_ns >= written for part in ledger_file.parent.glob("*.part"))


def parse_or_none(line: bytes) -> Any:
    """What a line of a ledger holds; None if it cannot be read."""
    try:
        return parse_json(line)
    except ValueError:
        return None


def _records(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_bytes().split(b"\n")[:-1]:
        yield parse_json(line)


def outcome(run_folder: Path) -> dict[str, Any]:
    """Predictions and results of a run, without what differs between equal runs."""
    predictions = {str(path.relative_to(run_folder)): stored(path) for path in _files(run_folder / "predictions")}
    results = {str(path.relative_to(run_folder)): _score(path) for path in _files(run_folder / "results")}
    return predictions | results


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.json") if ".ledger" not in path.parts)


def _score(path: Path) -> dict[str, Any]:
    results = read_json(path)
    if "compass" not in results:  # what a judge said
        return results
    differs = ("latency_median", "score_key", "file_crc32")
    own = {name: value for name, value in results["compass"].items() if name not in differs}
    return results | {"compass": own}
