"""One round: an evaluation that is disturbed, gone on with until it is finished, and compared with one that was not."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from chaos.comparison import (
    Expected,
    asked_in_vain,
    differences,
    is_locked,
    leftovers,
    missing_in_station,
    processes_of,
)
from chaos.disk import Disk
from chaos.evaluation import SAMPLES, WINDOW, Evaluation
from chaos.places import KILLED, Attempt, Ended, Place, marked
from support.postgres import Postgres
from support.slurm import wait_until

_MOST_RESUMES = 3
"""A damaged file may be found only when it is read, and what it lost is asked by the run after."""
FINE, FAILED, REFUSED, INTERRUPTED = 0, 1, 2, 130
_REASONS = ("failed", "cannot", "did not run", "No space left", "in use")
"""Words, one of which is in every reason."""


@dataclass
class Round:
    """What the actions of a round work on."""

    chance: random.Random
    evaluation: Evaluation
    place: Place
    disk: Disk | None
    expected: Expected
    token: str
    postgres: Postgres | None = None
    station: str | None = None
    """Where the results are kept as well."""
    lost: int = 0
    """How many requests may have been asked in vain."""
    told: list[str] = field(default_factory=list[str])
    """What happened, for who has to find out why."""
    began: float = field(default_factory=time.monotonic)

    def tell(self, text: str) -> None:
        """Notes what happens, and when."""
        self.told.append(f"{time.monotonic() - self.began:6.1f} s {text}")

    @property
    def run_folder(self) -> Path | None:
        """The folder of the evaluation; None while there is none."""
        folders = sorted(path for path in self.evaluation.workspace.work_dir.iterdir() if path.is_dir())
        return folders[-1] if folders else None

    def start(self, **variables: str) -> Attempt:
        """Begins the evaluation or goes on with it."""
        return self.place.start(self.evaluation, marked(self.token) | variables)

    def begin(self, **variables: str) -> Attempt:
        """The same, and waits for a random moment: often while it asks, else at any time, its end perhaps."""
        attempt = self.start(**variables)
        if self.chance.random() < 0.75:
            more, end = self.chance.randrange(1, SAMPLES), time.monotonic() + 120
            goal = self.evaluation.workspace.server.requests + more
            while self.evaluation.workspace.server.requests < goal and not attempt.is_over():
                assert time.monotonic() < end, "nothing is asked"
                time.sleep(0.02)
        else:
            time.sleep(self.chance.uniform(0.1, 6))
        return attempt

    def end(self, attempt: Attempt, *may: int) -> Ended:
        """Waits for the attempt, whose status must be among those given, and true."""
        ended = attempt.end()
        self.tell(f"  ended with {ended.status}")
        shown = f"{self}\n{ended.output[-6000:]}"
        assert ended.status in may, f"status {ended.status} is none of {may}: {shown}"
        assert "Traceback" not in ended.output, shown
        if ended.status == FINE:
            found = differences(self.run_folder, self.expected) if self.run_folder else ["no run folder"]
            found += missing_in_station(self.station) if self.station else []
            assert not found, f"the status says that all is well, but {found[:5]}: {shown}"
        if ended.status == FAILED:
            assert any(word in ended.output for word in _REASONS), f"no reason: {shown}"
        return ended

    def asks_again(self, windows: int = 1) -> None:
        """Allows for what was on its way, so many times."""
        self.lost += windows * WINDOW

    def finish(self) -> None:
        """Goes on with the run until it is finished, and looks at everything that it left."""
        for _ in range(_MOST_RESUMES):
            if self.end(self.start(), FINE, FAILED).status == FINE:
                break
        else:
            raise AssertionError(f"not finished after {_MOST_RESUMES} attempts: {self}")
        again = asked_in_vain(self.evaluation.asked, self.expected.needed)
        self.tell(f"  {again} asked in vain, {self.lost} allowed")
        assert again <= self.lost, str(self)
        self._leaves_nothing()

    def processes(self) -> dict[int, str]:
        """Those of the round that live, with their command lines."""
        return processes_of(self.token, self.evaluation.workspace.folder)

    def _leaves_nothing(self) -> None:
        assert self.run_folder is not None
        folder = self.run_folder
        with suppress(AssertionError):
            wait_until(lambda: not self._orphans(), 30)
        assert not self._orphans(), f"{self._orphans()} outlived {self}"
        assert not self.place.jobs(), f"{self.place.jobs()} outlived {self}"
        assert not is_locked(folder), str(self)
        assert not leftovers(folder), f"{leftovers(folder)} were left by {self}"

    def _orphans(self) -> dict[int, str]:
        lasting = self.place.lasting()
        return {pid: line for pid, line in self.processes().items() if pid not in lasting}

    def __str__(self) -> str:
        return "\n".join([f"the round on {self.place.name}:", *self.told])


Action = Callable[[Round], None]


def play(round_: Round, actions: dict[str, Action], first: str) -> None:
    """Disturbs the evaluation a few times, so at first if that can be done here, then finishes it."""
    others = [round_.chance.choice(sorted(actions)) for _ in range(round_.chance.choice((0, 0, 1, 2)))]
    for name in [first, *others] if first in actions else others:
        round_.tell(name)
        actions[name](round_)
    round_.tell("finish")
    round_.finish()


def killed(attempt: Attempt) -> None:
    """Kills it and waits until it is gone."""
    attempt.kill()
    assert attempt.end().status in (KILLED, FINE, FAILED)
