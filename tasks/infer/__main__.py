"""Runs one shard from its file: what a cluster job executes (`python -P -m tasks.infer SHARD_FILE`).

Needs neither Prefect nor a network, only the shared file system. Exit status 0: done, 1: failed, 2: bad input.
"""

import logging
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tasks.data.loading import DatasetCache
from tasks.infer.job_file import (
    JobProgress,
    ShardOutcome,
    at_termination,
    exit_status,
    job_logs,
    outcome_file,
    progress_file,
    read_job_file,
)
from tasks.infer.progress import Progress
from tasks.infer.session import INTERRUPTED, InferSession
from tasks.infer.shard_run import ShardFailed
from tasks.spec.findings import UserError
from tasks.spec.shard import Shard
from tasks.spec.storage.run_folder import Pair, RunFolder, write_atomically

_SECONDS_BETWEEN_WORDS = 5.0


def run_shard_file(path: Path) -> None:
    """Runs the shard described in `path`; ShardFailed or UserError if that is impossible."""
    try:
        values = read_job_file(path)
        shard = Shard.model_validate(values)
    except UserError:
        raise
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is not a shard file: {error}") from error
    job_logs(values)
    progress = Progress()
    session = InferSession(
        RunFolder(shard.run_folder),
        data=DatasetCache(shard.search_path),
        progress=progress,
        search_path=shard.search_path,
        cache=shard.cache,
    )
    at_termination(session.interrupt)
    try:
        with _told(progress_file(path), shard, progress):
            session.run(shard)
    finally:
        session.close()


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -P -m tasks.infer SHARD_FILE", file=sys.stderr)  # noqa: T201
        return 2
    path = Path(arguments[0])
    return exit_status(lambda: _run(path))


def _run(path: Path) -> int:
    try:
        run_shard_file(path)
    except UserError as error:
        return _failed(path, str(error), status=2)
    except ShardFailed as error:
        return _failed(path, error.reason, retryable=error.retryable)
    _leave(path, ShardOutcome())
    return 0


def _failed(path: Path, reason: str, *, status: int = 1, retryable: bool = False) -> int:
    logging.error("%s", reason)
    if reason != INTERRUPTED:  # by its scheduler, which may run it again
        _leave(path, ShardOutcome(reason=reason, retryable=retryable))
    return status


def _leave(path: Path, outcome: ShardOutcome) -> None:
    if path.is_file():
        write_atomically(outcome_file(path), outcome.model_dump_json().encode())


@contextmanager
def _told(path: Path, shard: Shard, progress: Progress) -> Generator[None]:
    """While the block runs, the file says every few seconds how far the shard is."""
    ended = threading.Event()

    def tell() -> None:
        keys = {part.key: Pair(shard.model.abbr, part.dataset.abbr) for part in shard.parts}
        counted = {key: progress.part(pair, key) for key, pair in keys.items()}
        parts = {key: (counters.done, counters.errors) for key, counters in counted.items()}
        write_atomically(path, JobProgress(parts=parts).model_dump_json().encode())

    def follow() -> None:
        while not ended.wait(_SECONDS_BETWEEN_WORDS):
            try:
                tell()
            except OSError as error:
                logging.warning("progress: %s", error)

    thread = threading.Thread(target=follow, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
