"""The inference task types a configuration can name."""

from dataclasses import dataclass


@dataclass(frozen=True)
class OpenICLInferTask:
    """Runs a shard; an API model has `batch_size` requests in flight per running shard."""

    log_interval: float = 30.0
    """Seconds between progress lines in the log."""


@dataclass(frozen=True)
class OpenICLInferConcurrentTask:
    """Runs a shard of an API model; `max_workers` requests are in flight per model, over all its datasets."""

    poll_interval: float = 1.0
    """Accepted for compatibility: free slots are filled at once, without polling."""
    log_interval: float = 30.0
    """Seconds between progress lines in the log."""
