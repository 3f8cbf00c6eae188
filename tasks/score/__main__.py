"""Scores one batch from its file: what a cluster job executes (`python -P -m tasks.score BATCH_FILE`).

Exit status 0: all pairs are scored, 1: some are not, 2: bad input.
"""

import logging
import sys
from pathlib import Path

from tasks.infer.job_file import at_termination, exit_status, job_logs
from tasks.infer.model_access import ModelAccess
from tasks.infer.session import INTERRUPTED
from tasks.score.batch import BatchFailed, PairOutcome, score_batch
from tasks.score.batch_file import BatchFile, read_batch_file, write_outcomes
from tasks.score.judging.session import JudgeSession
from tasks.spec.findings import UserError


def score_batch_file(file: BatchFile) -> list[PairOutcome]:
    """Scores the batch of a job, which asks judges by itself; BatchFailed tells which pairs have no score."""
    access = ModelAccess(file.folder, search_path=file.batch.search_path, cache=file.cache)
    judging = JudgeSession(access, file.batch.budget, file.jobs)

    def end() -> None:
        access.interrupted.set()
        judging.interrupt()

    at_termination(end)
    try:
        return score_batch(file.batch, file.folder, judging)
    finally:
        access.close()


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -P -m tasks.score BATCH_FILE", file=sys.stderr)  # noqa: T201
        return 2
    path = Path(arguments[0])
    return exit_status(lambda: _run(path))


def _run(path: Path) -> int:
    try:
        file, values = read_batch_file(path)
    except UserError as error:
        logging.error("%s", error)
        return 2
    job_logs(values)
    try:
        outcomes = score_batch_file(file)
    except BatchFailed as failed:
        if not any(outcome.is_unfinished and outcome.reason == INTERRUPTED for outcome in failed.outcomes):
            write_outcomes(path, failed.outcomes)
        return 1
    write_outcomes(path, outcomes)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
