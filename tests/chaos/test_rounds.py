"""Whatever happens to a run, going on with it comes to what an undisturbed run comes to.

`make chaos` plays many rounds. Each prints its seed; `COMPASS_CHAOS_SEED=n pytest tests/chaos/test_rounds.py` plays
that one again.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from chaos.actions import FAKETIME, actions_for
from chaos.comparison import Expected, result_of
from chaos.disk import small_disk
from chaos.evaluation import evaluation
from chaos.places import Commands, Place, Worker
from chaos.rounds import Round, play
from support.deployments import running_deployments
from support.slurm import missing, running_slurm
from support.workspace import ROOT

from flows.local_server.start import stop_own_server
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PLACES = ("inline", "prefect", "slurm", "worker")
GIVEN = os.environ.get("COMPASS_CHAOS_SEED")
ROUNDS = 1 if GIVEN else int(os.environ.get("COMPASS_CHAOS_ROUNDS", "5"))
_ON_SLURM = """
infer = dict(
    runner=dict(type='SlurmRunner', partition='main', max_num_workers=4, poll_interval=0.3, submit_with='sbatch',
                task=dict(type='OpenICLInferTask'))
)
"""


class Places:
    """The places of all rounds, each started when it is first needed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._started: dict[str, Place] = {}

    def get(self, name: str) -> Place:
        if name not in self._started:
            self._started[name] = self._start(name)
        return self._started[name]

    def _start(self, name: str) -> Place:
        if name == "inline":
            return Commands(name, ["--inline", "--max-num-workers", "4"])
        if name == "prefect":
            environ = {"COMPASS_STATE_DIR": str(self._folder / "state")}
            self._stack.callback(stop_own_server, server_files(environ))
            up = [sys.executable, "-P", "-m", "flows.cli", "server", "up"]
            subprocess.run(up, env={**os.environ, **environ, "PYTHONPATH": str(ROOT)}, check=True, timeout=300)
            return Commands(name, ["--max-num-workers", "4"], environ)
        if name == "worker":
            return Worker(self._stack.enter_context(running_deployments(self._folder)))
        if reason := missing():
            pytest.skip(reason)
        slurm = self._stack.enter_context(running_slurm(self._folder / "slurm"))
        return Commands(name, ["--inline", "--max-num-workers", "4"], slurm.environment, slurm)


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
    seed = int(GIVEN) if GIVEN else random.SystemRandom().randrange(10**6) * len(PLACES) + number % len(PLACES)
    print(f"COMPASS_CHAOS_SEED={seed}")  # noqa: T201 shown with a failure
    place = places.get(PLACES[seed % len(PLACES)])
    with (
        evaluation(tmp_path, _ON_SLURM if place.name == "slurm" else "") as ours,
        small_disk(ours.workspace.work_dir) as disk,
    ):
        round_ = Round(random.Random(seed), ours, place, disk, expected, token=f"{os.getpid()}-{seed}")
        round_.told += [] if FAKETIME else ["without libfaketime: the clock is right"]
        round_.told += [] if disk else ["no right to mount: the disk is neither full nor read-only"]
        try:
            play(round_, actions_for(place.name, disk=disk is not None, clock=FAKETIME is not None))
        finally:
            print(round_)  # noqa: T201 shown with a failure
