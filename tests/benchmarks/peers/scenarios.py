"""The measurements; each gives the figures of its lines once, for one system."""

import time
from collections.abc import Callable
from math import ceil

from benchmarks.mock_server import Faults, MockServer
from benchmarks.peers.cost import running
from benchmarks.peers.measures import Figures
from benchmarks.peers.peer import Commands, Job, Unable
from benchmarks.peers.samples import long_prompts, short_prompts
from benchmarks.peers.stand import LATENCY_MS, Stand, WrongResult, expected_of
from benchmarks.processes import CommandFailed
from benchmarks.workspace import GSM8K_TEST_ROWS

_FEW = 8
_MODELS, _SETS, _SET_ROWS = 2, 50, 20
_FAULTS = Faults(limited=0.05, failed=0.02, reset=0.01)
_LONG_ANSWER_BYTES = 20_000


def tiny(stand: Stand) -> Figures:
    """8 samples: what it takes until the first is asked, and until all are scored."""
    data = (long_prompts(stand.data, _FEW),)
    with stand.job(data) as (_, job):
        figures = stand.cost("tiny.", job, stand.peer.run(job))
        stand.expect_all(job)
    with stand.job(data) as (server, job):
        unit = stand.bench.import_prefect()
        command, *_ = stand.peer.run(job)
        with running(command, job.folder) as started:
            server.wait_for_first()
            cpu = started.cpu_so_far()
            elapsed = server.peek().first - started.started
    return figures | {"tiny.first_elapsed": elapsed / unit, "tiny.first_cpu": cpu / unit}


def whole(stand: Stand) -> Figures:
    """A whole benchmark; the finished run once more; its stored answers scored again."""
    with stand.job((long_prompts(stand.data, GSM8K_TEST_ROWS),)) as (server, job):
        figures = _asked(stand, server, job, "whole.")
        figures |= _not_asked(stand, server, job, "whole.again_", stand.peer.again(job))
        return figures | _not_asked(stand, server, job, "whole.score_", stand.peer.score(job))


def wide(stand: Stand) -> Figures:
    """A whole benchmark with many requests in flight."""
    with stand.job((long_prompts(stand.data, GSM8K_TEST_ROWS),), in_flight=256) as (server, job):
        return _asked(stand, server, job, "wide.")


def many(stand: Stand) -> Figures:
    """Many small pairs of a model and a dataset."""
    with stand.job(short_prompts(stand.data, _SETS, _SET_ROWS), models=_MODELS) as (_, job):
        figures = stand.cost("many.", job, stand.peer.run(job))
        stand.expect_all(job)
    return figures


def killed(stand: Stand) -> Figures:
    """A run whose processes are all killed when half is answered, and which then goes on."""
    with stand.job((long_prompts(stand.data, GSM8K_TEST_ROWS),)) as (server, job):
        commands = stand.peer.resume(job)
        if isinstance(commands, Unable):
            return dict.fromkeys(("killed.asked_again", "killed.cpu", "killed.elapsed"), commands.reason)
        first, *_ = stand.peer.run(job)
        with running(first, job.folder):
            _wait_until_answered(server, GSM8K_TEST_ROWS // 2, stand.timeout)
        figures = stand.cost("killed.", job, commands)
        stand.expect_all(job)
        seen = server.seen()
    return figures | {"killed.asked_again": seen.received - seen.distinct}


def faults(stand: Stand) -> Figures:
    """A service that refuses, fails and breaks off now and then; a run that fails for it is a result as well."""
    with stand.job((long_prompts(stand.data, GSM8K_TEST_ROWS),), faults=_FAULTS) as (server, job):
        figures = stand.cost("faults.", job, stand.peer.run(job), must_succeed=False)
        expected, outcome = expected_of(job), stand.peer.outcome(job)
        span = server.seen().span
    return figures | {
        "faults.span": span / _ideal(job),
        "faults.unanswered": expected.answered - outcome.answered,
        "faults.wrong": abs(expected.right - outcome.right),
    }


def long(stand: Stand) -> Figures:
    """A whole benchmark with long answers."""
    data = (long_prompts(stand.data, GSM8K_TEST_ROWS),)
    with stand.job(data, answer_bytes=_LONG_ANSWER_BYTES) as (server, job):
        return _asked(stand, server, job, "long.")


SCENARIOS: dict[str, Callable[[Stand], Figures]] = {
    "tiny": tiny, "whole": whole, "wide": wide, "many": many, "killed": killed, "faults": faults, "long": long,
}  # fmt: skip


def _asked(stand: Stand, server: MockServer, job: Job, key: str) -> Figures:
    """A run in which every sample is asked once."""
    figures = stand.cost(key, job, stand.peer.run(job))
    seen = server.seen()
    if seen.requests != GSM8K_TEST_ROWS or seen.peak > job.in_flight:
        raise WrongResult(f"{seen.requests} requests, at most {seen.peak} in flight of {job.in_flight}")
    stand.expect_all(job)
    return figures | {f"{key}span": seen.span / _ideal(job)}


def _not_asked(stand: Stand, server: MockServer, job: Job, key: str, commands: Commands | Unable) -> Figures:
    """What has stored answers; if it asks all the same or fails, what was measured before counts nevertheless."""
    try:
        figures = stand.cost(key, job, commands)
        stand.expect_all(job)
    except (CommandFailed, WrongResult) as failure:
        return stand.cost(key, job, Unable(str(failure).splitlines()[0]))
    received = server.seen().received
    return stand.cost(key, job, Unable(f"asks {received} samples again")) if received else figures


def _ideal(job: Job) -> float:
    """Seconds that the service needs if it is never kept waiting."""
    return ceil(expected_of(job).answered / job.in_flight) * LATENCY_MS / 1000


def _wait_until_answered(server: MockServer, count: int, timeout: float) -> None:
    end = time.monotonic() + timeout
    while server.peek().requests < count:
        if time.monotonic() > end:
            raise WrongResult(f"less than {count} answers in {timeout:g} s")
        time.sleep(0.02)
