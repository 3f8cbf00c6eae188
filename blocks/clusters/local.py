"""Tasks on this machine."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class LocalRunner:
    """Runs tasks on the local machine, `max_num_workers` at once."""

    in_process: ClassVar[bool] = True
    """Tasks of API models share the run's own process, and so each model's limits; jobs of clusters divide them."""
    max_num_workers: int = 16
    max_workers_per_gpu: int = 1
    """Tasks that share one GPU."""
    keep_tmp_file: bool = False
    """Accepted for compatibility: there are no temporary parameter files."""
    debug: bool = False


@dataclass(frozen=True)
class LocalAPIRunner:
    """As LocalRunner, for API models, with a cap on the requests of all tasks together."""

    in_process: ClassVar[bool] = True
    concurrent_users: int
    """Requests in flight at most."""
    max_num_workers: int = 16
    keep_tmp_file: bool = False
    debug: bool = False
