"""Whatever happens to a run, going on with it comes to what an undisturbed run comes to.

`make chaos` plays many rounds. Each prints its seed; `COMPASS_CHAOS_SEED=n pytest tests/chaos/test_rounds.py` plays
that one again.
"""

import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from chaos import clock
from chaos.actions import actions_for
from chaos.comparison import Expected, result_of
from chaos.disk import small_disk
from chaos.evaluation import evaluation
from chaos.places import Commands, Place, Worker
from chaos.rounds import Round, play
from support import postgres, slurm
from support.deployments import running_deployments
from support.workspace import ROOT

from flows.local_server.start import stop_own_server
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PLACES = ("inline", "prefect", "slurm", "dask", "worker")
WORST = [
    ("inline", "damage the newest files"),
    ("prefect", "kill the Prefect server"),
    ("slurm", "kill the flow"),
    ("dask", "fill the disk"),
    ("worker", "kill the database"),
]
"""What continuous integration tries."""
STARTS = [*WORST, *((place, name) for place in PLACES for name in actions_for(place) if (place, name) not in WORST)]
"""Where a round is, and what happens first in it; a seed tells which, by its remainder."""
GIVEN = os.environ.get("COMPASS_CHAOS_SEED")
ROUNDS = 1 if GIVEN else int(os.environ.get("COMPASS_CHAOS_ROUNDS", str(len(WORST))))
_FIRST = int(os.environ.get("COMPASS_CHAOS_FIRST", "0"))
_JOBS = """
jobs = dict({runner}, max_num_workers=4, poll_interval=0.3)
infer = dict(runner=dict(jobs, task=dict(type='OpenICLInferTask')))
"""
_RUNNERS = {"slurm": "type='SlurmRunner', partition='main', submit_with='sbatch'", "dask": "type='DaskRunner'"}
_SCORED_BY_JOBS = "eval = dict(runner=dict(jobs, task=dict(type='OpenICLEvalTask')))\n"
_SCORED_BESIDE = """
eval = dict(runner=dict(type='LocalRunner', max_num_workers=2, task=dict(type='OpenICLEvalWatchTask')))
"""


class Places:
    """The places of all rounds, and the database, each started when it is first needed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._started: dict[str, Place] = {}
        self._postgres: postgres.Postgres | None = None

    def get(self, name: str) -> Place:
        if name not in self._started:
            self._started[name] = self._start(name)
        return self._started[name]

    def database(self) -> postgres.Postgres | None:
        if self._postgres is None and not postgres.missing():
            self._postgres = self._stack.enter_context(postgres.running_postgres())
        return self._postgres

    def _start(self, name: str) -> Place:
        arguments = ["--max-num-workers", "4"]
        if name in ("inline", "dask"):
            return Commands(name, ["--inline", *arguments])
        if name == "prefect":
            environ = {"COMPASS_STATE_DIR": str(self._folder / "state")}
            self._stack.callback(stop_own_server, server_files(environ))
            up = [sys.executable, "-P", "-m", "flows.terminal.cli", "server", "up"]
            subprocess.run(up, env={**os.environ, **environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=300)
            return Commands(name, arguments, environ)
        if name == "worker":
            folder = self._folder / name
            folder.mkdir(exist_ok=True)
            deployed = running_deployments(folder, settings=self._settings())
            return Worker(self._stack.enter_context(deployed))
        if reason := slurm.missing():
            pytest.skip(reason)
        cluster = self._stack.enter_context(slurm.running_slurm(self._folder / "slurm"))
        return Commands(name, ["--inline", *arguments], cluster.environment, cluster)

    def _settings(self) -> Path | None:
        """Those of a team's server: on PostgreSQL, at a port that stays the same."""
        database = self.database()
        if database is None:
            return None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        url, path = database.new_database("postgresql+asyncpg"), self._folder / "team.env"
        path.write_text(f"PREFECT_SERVER_DATABASE_CONNECTION_URL={url}\nPREFECT_SERVER_API_PORT={port}\n")
        path.chmod(0o600)
        return path


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    with ExitStack() as stack:
        yield Places(tmp_path_factory.mktemp("places"), stack)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Expected:
    """What the evaluation comes to if nobody disturbs it."""
    with evaluation(tmp_path_factory.mktemp("undisturbed")) as undisturbed:
        workspace = undisturbed.workspace
        done = workspace.run(str(workspace.config), "--inline", "--max-num-workers", "4")
        assert done.returncode == 0, done.stderr
        return Expected(result_of(workspace.run_folder), undisturbed.asked)


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_disturbed_run_comes_to_the_same(number: int, places: Places, expected: Expected, tmp_path: Path):
    start = (_FIRST + number) % len(STARTS)
    seed = int(GIVEN) if GIVEN else random.SystemRandom().randrange(10**6) * len(STARTS) + start
    print(f"COMPASS_CHAOS_SEED={seed}")  # noqa: T201 shown with a failure
    chance, (name, first) = random.Random(seed), STARTS[seed % len(STARTS)]
    place = places.get(name)
    database = places.database() if name == "worker" or first == "kill the database" or chance.random() < 0.25 else None
    station = database.new_database() if database else None
    with (
        evaluation(tmp_path, _varied(place.name, station, chance)) as ours,
        small_disk(ours.workspace.work_dir) as disk,
    ):
        token = f"{os.getpid()}-{seed}"
        round_ = Round(chance, ours, place, disk, expected, token, database, station)
        round_.told += [f"the clock is right: {clock.missing()}"] if clock.missing() else []
        round_.told += [] if disk else ["no right to mount: the disk is neither full nor read-only"]
        can = actions_for(name, disk=disk is not None, clock=not clock.missing(), postgres=database is not None)
        try:
            play(round_, can, first)
        finally:
            print(round_)  # noqa: T201 shown with a failure


def _varied(place: str, station: str | None, chance: random.Random) -> str:
    """What is below the configuration of a round: where its work is done, when it is scored, where results are kept."""
    lines = [_JOBS.format(runner=_RUNNERS[place])] if place in _RUNNERS else []
    if chance.random() < 1 / 3:
        lines.append(_SCORED_BY_JOBS if place in _RUNNERS else _SCORED_BESIDE)
    return "\n".join([*lines, f"station_path = {station!r}" if station else ""])
