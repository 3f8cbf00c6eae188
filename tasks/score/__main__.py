"""Scores one batch from its file: what a cluster job executes (`python -P -m tasks.score BATCH_FILE`).

Exit status 0: all pairs are scored, 1: some are not, 2: bad input.
"""

import logging
import sys
from pathlib import Path

from tasks.infer.job_file import job_logs
from tasks.infer.model_access import ModelAccess
from tasks.score.batch import BatchFailed, score_batch
from tasks.score.batch_file import read_batch_file, write_outcomes
from tasks.score.judging.session import JudgeSession
from tasks.spec.findings import UserError


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -P -m tasks.score BATCH_FILE", file=sys.stderr)  # noqa: T201
        return 2
    path = Path(arguments[0])
    try:
        file, values = read_batch_file(path)
    except UserError as error:
        logging.error("%s", error)
        return 2
    job_logs(values)
    access = ModelAccess(file.folder, search_path=file.batch.search_path)
    try:
        outcomes = score_batch(file.batch, file.folder, JudgeSession(access, file.batch.budget))
    except BatchFailed as failed:
        write_outcomes(path, failed.outcomes)
        return 1
    finally:
        access.close()
    write_outcomes(path, outcomes)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
