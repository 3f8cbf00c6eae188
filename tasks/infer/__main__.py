"""Runs one shard from its file: what a cluster job executes (`python -P -m tasks.infer SHARD_FILE`).

Needs neither Prefect nor a network, only the shared file system. Exit status 0: done, 1: failed, 2: bad input.
"""

import logging
import sys
from pathlib import Path

from tasks.data.loading import DatasetCache
from tasks.infer.progress import Progress
from tasks.infer.session import InferSession
from tasks.infer.shard_run import ShardFailed
from tasks.infer.work_log import WorkLogRouter
from tasks.spec.findings import UserError
from tasks.spec.run_folder import RunFolder
from tasks.spec.shard import Shard


def run_shard_file(path: Path) -> None:
    """Runs the shard described in `path`; ShardFailed or UserError if that is impossible."""
    try:
        shard = Shard.model_validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"{path} is not a shard file: {error}") from error
    session = InferSession(
        RunFolder(shard.run_folder),
        data=DatasetCache(shard.search_path),
        progress=Progress(),
        search_path=shard.search_path,
        cache=shard.cache,
    )
    try:
        session.run(shard)
    finally:
        session.close()


def main(arguments: list[str]) -> int:
    """Returns the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("tasks").addHandler(WorkLogRouter())
    if len(arguments) != 1:
        logging.error("usage: python -P -m tasks.infer SHARD_FILE")
        return 2
    try:
        run_shard_file(Path(arguments[0]))
    except UserError as error:
        logging.error("%s", error)
        return 2
    except ShardFailed as error:
        logging.error("%s", error.reason)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
