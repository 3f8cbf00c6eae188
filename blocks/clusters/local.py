"""Tasks on this machine."""

from dataclasses import dataclass
from typing import ClassVar

from blocks.clusters.settings import Scheduler, setting


@dataclass(frozen=True)
class LocalRunner:
    """Runs tasks on the local machine, `max_num_workers` at once."""

    in_process: ClassVar[bool] = True
    """Tasks of API models share the run's own process, and so each model's limits; jobs of clusters divide them."""
    scheduler: ClassVar[Scheduler] = Scheduler("Local", "This machine")
    max_num_workers: int = setting("Tasks that run at once.", 16, of_run=True, ge=1)
    max_workers_per_gpu: int = setting("Tasks that share one GPU.", 1, of_run=True, ge=1)
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
