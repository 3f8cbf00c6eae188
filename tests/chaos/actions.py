"""What happens to a run: each disturbance is a function, and they stand in one table."""

import os
import sqlite3
import time
from pathlib import Path

from chaos.clock import moved
from chaos.comparison import recorded_answers
from chaos.disk import Disk
from chaos.places import KILLED
from chaos.rounds import FAILED, FINE, INTERRUPTED, REFUSED, Action, Round, killed


def kill_flow(r: Round) -> None:
    """The process that coordinates the run, with its children."""
    attempt = r.begin()
    killed(attempt)
    r.asks_again()


def kill_worker(r: Round) -> None:
    """A process that works for the flow, or the worker that started it."""
    attempt = r.begin()
    if not r.place.kill_worker(r.processes(), r.chance.choice):
        r.tell("  there is none")
    r.asks_again()
    r.end(attempt, FINE, FAILED, KILLED)


def kill_server(r: Round) -> None:
    """Prefect's server, and sometimes the process that keeps it."""
    attempt = r.begin()
    with_keeper = r.chance.random() < 0.5
    if r.place.kill_server(with_keeper=with_keeper):
        r.tell(f"  with its keeper: {with_keeper}")
        r.asks_again()
        time.sleep(r.chance.uniform(0, 6))
        r.place.start_server()
    r.end(attempt, FINE, FAILED, KILLED)  # Prefect's own start of a flow run does not wait for the server


def kill_database(r: Round) -> None:
    """PostgreSQL, which has the station, and what Prefect's server knows where that is a team's; it is soon back."""
    postgres = r.postgres
    assert postgres is not None
    attempt = r.begin()
    postgres.kill()
    time.sleep(r.chance.uniform(0, 6))
    postgres.start()
    r.asks_again()
    r.end(attempt, FINE, FAILED, REFUSED)


def lock_database(r: Round) -> None:
    """Somebody else holds Prefect's database for a while."""
    attempt = r.begin()
    if (path := r.place.database()) is not None:
        database = sqlite3.connect(path, timeout=10, isolation_level=None)
        database.execute("BEGIN EXCLUSIVE")
        time.sleep(r.chance.uniform(0.5, 8))
        database.execute("ROLLBACK")
        database.close()
    r.end(attempt, FINE, FAILED)


def kill_model(r: Round) -> None:
    """The server that answers is gone for a while."""
    server = r.evaluation.workspace.server
    attempt = r.begin()
    server.stop()
    server.wait_stopped()
    time.sleep(r.chance.uniform(0.1, 4))
    server.__enter__()
    r.asks_again()
    r.end(attempt, FINE, FAILED)


def cut_network(r: Round) -> None:
    """Connections break, and no new ones come about for a while."""
    attempt = r.begin()
    r.evaluation.proxy.cut()
    time.sleep(r.chance.uniform(0.1, 4))
    r.evaluation.proxy.restore()
    r.asks_again()
    r.end(attempt, FINE, FAILED)


def stop_network(r: Round) -> None:
    """Nothing comes through for a while, longer than a timeout perhaps; then all of it does."""
    attempt = r.begin()
    r.evaluation.proxy.stand_still()
    time.sleep(r.chance.uniform(0.5, 7))
    r.evaluation.proxy.go_on()
    r.asks_again(2)
    r.end(attempt, FINE, FAILED)


def fill_disk(r: Round) -> None:
    """No room is left, for a while or until the run has ended."""
    disk = _disk(r)
    attempt = r.begin()
    disk.fill()
    try:
        if r.chance.random() < 0.5:
            time.sleep(r.chance.uniform(0.05, 1))
        else:
            r.end(attempt, FINE, FAILED)
    finally:
        disk.make_room()
    r.asks_again()
    r.end(attempt, FINE, FAILED)


def read_only(r: Round) -> None:
    """The run folder's file system refuses writes: from the start, or from a moment when no file is open."""
    disk = _disk(r)
    attempt = r.begin() if r.chance.random() < 0.5 else None
    with disk.read_only(patience=3 if attempt else 0) as done:
        r.tell(f"  while it runs: {attempt is not None}, came about: {done}")
        r.end(attempt or r.start(), FINE, FAILED, REFUSED)
    r.asks_again()


def damage_files(r: Round) -> None:
    """A killed run whose newest files are cut, or hold what nobody wrote, a letter or more of it."""
    attempt = r.begin()
    killed(attempt)
    r.asks_again()
    if r.run_folder is None:
        return
    before = recorded_answers(r.run_folder)
    for _ in range(r.chance.randrange(1, 4)):
        files = sorted((path for path in r.run_folder.rglob("*") if path.is_file() and path.suffix != ".out"), key=_age)
        damaged = r.chance.choice(files[-6:] or [None])
        if damaged is not None and damaged.stat().st_size and damaged.name != ".lock":
            r.tell(f"  {damaged.relative_to(r.run_folder)} {_damage(damaged, r)}")
    r.lost += before - recorded_answers(r.run_folder)


def interrupt(r: Round) -> None:
    """Ctrl-C, or a cancellation."""
    attempt = r.begin()
    attempt.interrupt()
    r.asks_again()
    r.end(attempt, FINE, INTERRUPTED)


def interrupt_twice(r: Round) -> None:
    """Ctrl-C, and again at some moment before it has ended."""
    attempt = r.begin()
    attempt.interrupt()
    time.sleep(r.chance.uniform(0, 1.5))
    attempt.interrupt()
    r.asks_again()
    r.end(attempt, FINE, INTERRUPTED)


def second_run(r: Round) -> None:
    """Another run on the same folder is refused, and the first one does not notice."""
    attempt = r.begin()
    if r.run_folder is not None:
        r.end(r.start(), FINE, FAILED, REFUSED)
    r.end(attempt, FINE)


def move_clock(r: Round) -> None:
    """The clock is wrong by days, and by others when the run is gone on with."""

    def wrong() -> dict[str, str]:
        return moved(r.chance.randrange(-200_000, 200_000))

    killed(r.begin(**wrong()))
    r.asks_again()
    r.end(r.start(**wrong()), FINE)


EVERYWHERE: dict[str, Action] = {
    "kill the flow": kill_flow,
    "kill the model server": kill_model,
    "cut the network": cut_network,
    "stop the network": stop_network,
    "damage the newest files": damage_files,
    "SIGINT": interrupt,
    "two runs in one folder": second_run,
}
ON_A_DISK: dict[str, Action] = {"fill the disk": fill_disk, "read-only": read_only}
"""Need a file system of their own."""
OF_COMMANDS: dict[str, Action] = {"SIGINT twice": interrupt_twice}
WITH_A_CLOCK: dict[str, Action] = {"move the clock": move_clock}
"""Needs libfaketime and gcc."""
WITH_WORKERS: dict[str, Action] = {"kill a worker": kill_worker}
WITH_A_SERVER: dict[str, Action] = {"kill the Prefect server": kill_server}
WITH_A_FILE: dict[str, Action] = {"lock the database": lock_database}
WITH_POSTGRES: dict[str, Action] = {"kill the database": kill_database}


def actions_for(place: str, *, disk: bool = True, clock: bool = True, postgres: bool = True) -> dict[str, Action]:
    """What can happen there."""
    chosen = dict(EVERYWHERE)
    chosen |= ON_A_DISK if disk else {}
    chosen |= OF_COMMANDS if place != "worker" else {}
    chosen |= WITH_A_CLOCK if clock and place in ("inline", "prefect") else {}
    chosen |= WITH_WORKERS if place in ("slurm", "dask", "worker") else {}
    chosen |= WITH_A_SERVER if place in ("prefect", "worker") else {}
    chosen |= WITH_POSTGRES if postgres else {}
    return chosen | (WITH_A_FILE if place == "prefect" else {})


def _disk(r: Round) -> Disk:
    assert r.disk is not None
    return r.disk


def _age(path: Path) -> tuple[int, str]:
    return path.stat().st_mtime_ns, str(path)


def _damage(path: Path, r: Round) -> str:
    """Cuts the file, puts bytes into it that no text holds, or changes one a little; returns which."""
    size = path.stat().st_size
    place = r.chance.randrange(size)
    how = r.chance.choice(("cut", "overwrite", "change"))
    if how == "cut":
        os.truncate(path, place)
        return f"cut at {place} of {size}"
    if how == "change":
        with path.open("r+b") as file:
            file.seek(place)
            old = file.read(1)[0]
            file.seek(place)
            file.write(bytes([old ^ 1]))
        return f"has another letter at {place} of {size}"
    length = r.chance.randrange(1, 200)
    filler = b"\0" if r.chance.random() < 0.5 else b"\xff"
    with path.open("r+b") as file:
        file.seek(place)
        file.write(filler * min(length, size - place))
    return f"{filler!r} at {place} of {size}"
