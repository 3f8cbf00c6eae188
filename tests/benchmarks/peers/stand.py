"""Where one system is measured: its folder, the mock server, the data, and the unit beside every figure."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bench import Bench
from benchmarks.mock_server import ANSWER_BYTES, NO_FAULTS, Faults, MockServer, mock_server
from benchmarks.peers import cost
from benchmarks.peers.measures import SERVER, Figures
from benchmarks.peers.peer import Commands, Job, Outcome, Peer, Unable
from benchmarks.peers.samples import expected_right
from benchmarks.processes import cpu_so_far, wait_until_idle

LATENCY_MS = 100


class WrongResult(Exception):
    """A system ended well, but not with what had to come out."""


@dataclass(frozen=True)
class Stand:
    """One system, ready to be measured."""

    peer: Peer
    bench: Bench
    """Gives the unit, and the program of the mock server."""
    data: Path
    """Folder of the questions, the same for all."""
    timeout: float
    """Seconds for one command."""

    @contextmanager
    def job(
        self,
        datasets: tuple[Path, ...],
        *,
        models: int = 1,
        in_flight: int = 64,
        answer_bytes: int = ANSWER_BYTES,
        faults: Faults = NO_FAULTS,
    ) -> Iterator[tuple[MockServer, Job]]:
        """A job in a new folder, and the service that it asks."""
        program = self.bench.mock_program
        with (
            tempfile.TemporaryDirectory(prefix="peer-", ignore_cleanup_errors=True) as folder,
            mock_server(program, LATENCY_MS, answer_bytes=answer_bytes, faults=faults) as server,
        ):
            names = tuple(f"mock{number}" for number in range(models))
            job = Job(Path(folder), server.api, names, datasets, in_flight)
            self.peer.write(job)
            yield server, job

    def cost(self, key: str, job: Job, commands: Commands | Unable, *, must_succeed: bool = True) -> Figures:
        """CPU and elapsed time of the commands, the share of the service beside them, all in units."""
        if isinstance(commands, Unable):
            return {f"{key}cpu": commands.reason, f"{key}elapsed": commands.reason}
        unit = self.bench.import_prefect()
        with _share(self.peer.beside()) as share:
            cpu, elapsed = cost.run(commands, job.folder, self.timeout, must_succeed=must_succeed)
        figures: Figures = {f"{key}cpu": cpu / unit, f"{key}elapsed": elapsed / unit}
        return figures | {f"{SERVER}{key}cpu": seconds / unit for seconds in share}

    def expect_all(self, job: Job) -> None:
        """WrongResult unless every sample has an answer and the right score."""
        expected, outcome = expected_of(job), self.peer.outcome(job)
        if outcome != expected:
            raise WrongResult(f"{outcome} instead of {expected}")


def expected_of(job: Job) -> Outcome:
    """What comes out if nothing goes wrong."""
    samples = sum(len(dataset.read_text().splitlines()) for dataset in job.datasets)
    right = sum(map(expected_right, job.datasets))
    return Outcome(samples * len(job.models), right * len(job.models))


@contextmanager
def _share(process: int | None) -> Iterator[list[float]]:
    """After the block: CPU seconds that the process took from its start until it was idle again."""
    share: list[float] = []
    if process is None:
        yield share
        return
    wait_until_idle(process)
    before = cpu_so_far(process)
    yield share
    wait_until_idle(process)
    share.append(cpu_so_far(process) - before)
