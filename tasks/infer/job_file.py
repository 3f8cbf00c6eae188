"""How a job of a cluster gets its work, and what it leaves: a file without secrets, and beside it how it ended."""

import json
import logging
import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from pydantic import BaseModel

from tasks.infer.task_log import WorkFormat, WorkLogRouter
from tasks.spec.secrets.redaction import redact, resolve_references, secret_environment
from tasks.spec.secrets.scrubber import SecretFilter, SecretScrubber
from tasks.spec.shard import Shard
from tasks.spec.storage.disk import disk_problem, is_disk_problem
from tasks.spec.storage.json_text import parse_json
from tasks.spec.storage.run_folder import write_atomically


class ShardOutcome(BaseModel):
    """How a job of the inference ended by itself; its answers and finished parts are in the ledgers."""

    reason: str = ""
    """Why it failed; empty if it did not."""
    retryable: bool = False
    """Whether running it again can help."""


class JobProgress(BaseModel):
    """How far a running job is: samples done and samples without an answer, by the keys of its parts."""

    parts: dict[str, tuple[int, int]]


def write_shard_file(path: Path, shard: Shard) -> dict[str, str]:
    """As `write_job_file`; the keys of a shard and its parts are digests, no secrets."""
    values = shard.model_dump(mode="json")
    keys = [part.pop("key") for part in values["parts"]]
    digests = {"key": values.pop("key")}
    redacted = redact(values)
    parts = [{**part, "key": key} for part, key in zip(redacted["parts"], keys, strict=True)]
    _write(path, {**redacted, **digests, "parts": parts})
    return secret_environment(values)


def write_job_file(path: Path, values: Any) -> dict[str, str]:
    """Writes a job's work without its secrets; returns the variables, in clear, that the job needs to read it."""
    _write(path, redact(values))
    return secret_environment(values)


def _write(path: Path, values: Any) -> None:
    write_atomically(path, json.dumps(values).encode())
    outcome_file(path).unlink(missing_ok=True)
    progress_file(path).unlink(missing_ok=True)


def read_job_file(path: Path) -> Any:
    """The work with its secrets in clear; OSError, ValueError, or UserError for a variable that is not set."""
    return resolve_references(parse_json(path.read_bytes()))


def outcome_file(path: Path) -> Path:
    """Where the job of the file `path` says how it ended."""
    return path.with_suffix(".outcome.json")


def progress_file(path: Path) -> Path:
    """Where the job of the file `path` says how far it is."""
    return path.with_suffix(".progress.json")


def job_logs(values: Any) -> None:
    """Sends what a job logs to standard error and to the logs of its work, without the secrets of its values."""
    terminal = logging.StreamHandler()
    terminal.setFormatter(WorkFormat())
    logging.basicConfig(level=logging.INFO, handlers=[terminal])
    logging.getLogger("tasks").addHandler(WorkLogRouter())
    scrub = SecretFilter(SecretScrubber.of_configuration(values))
    for handler in (*logging.getLogger().handlers, *logging.getLogger("tasks").handlers):
        handler.addFilter(scrub)


def exit_status(work: Callable[[], int]) -> int:
    """The exit status of a job; a disk that takes nothing ends it with a line in its log instead of a traceback."""
    try:
        return work()
    except OSError as error:
        if not is_disk_problem(error):
            raise
        logging.error("%s", disk_problem(error))
        return 1


def at_termination(end: Callable[[], None]) -> None:
    """Calls the function when the scheduler wants the job to end, which then has a few seconds."""

    def handler(_number: int, _frame: FrameType | None) -> None:
        end()

    signal.signal(signal.SIGTERM, handler)
