"""The unit of work: one model with ranges of rows of one or more datasets.

A shard is what a Prefect task receives and what a cluster job reads from a file. It carries every key
ready-made and no secret: secrets travel in the environment (see `tasks.spec.secrets.redaction`).
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from tasks.spec.specs import DatasetSpec, ModelSpec, Spec

SHARD_SCHEMA = 1
"""Raised whenever the meaning of a shard or of its result changes, which makes older cached results void."""


class ShardPart(Spec):
    """A range of one dataset's planned rows."""

    dataset: DatasetSpec
    start: int
    stop: int
    """Rows `start:stop` of the planned rows, i.e. after `test_range`, repeats and limit."""
    limit: int | None = None
    """Only the first `limit` rows of the selection are planned."""
    data_fingerprint: str
    key: str
    """Shard key of this part (design: identity and resume)."""

    @property
    def rows(self) -> int:
        return self.stop - self.start


class InFlight(Spec):
    """How many requests of this shard may run at once."""

    scope: Literal["task", "model"]
    """`task`: the cap holds for each running shard; `model`: for all shards of the model together."""
    limit: int
    query_per_second: float | None = None
    """Requests per second at most, of all shards of the model in one process."""


class FailureBudget(Spec):
    """When a pair counts as failed: more errors than this fraction (below 1) or count (1 and above)."""

    limit: float = 0.05

    def exceeded(self, errors: int, samples: int) -> bool:
        allowed = self.limit * samples if self.limit < 1 else self.limit
        return errors > allowed


class Shard(Spec):
    """Everything a process needs to run its part of the inference."""

    schema_version: int = SHARD_SCHEMA
    name: str
    """Task name as OpenCompass prints it, e.g. `OpenICLInfer[gpt-x/demo_gsm8k]`."""
    run_folder: Path
    model: ModelSpec
    model_identity: str
    """Digest of all that can change the model's answers."""
    parts: tuple[ShardPart, ...]
    in_flight: InFlight
    budget: FailureBudget = FailureBudget()
    log_interval: float = 30.0
    """Seconds between progress lines in the shard's log."""
    key: str
    """Digest over the parts' keys: the Prefect cache key."""
    search_path: tuple[str, ...] = Field(default=())
    """Folders that own classes are imported from (the configuration's own)."""
    cache: Path | None = None
    """Folder where answers are kept for all runs."""

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)
