"""What a configuration says about tasks of Dask."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from blocks.clusters.settings import setting


@dataclass(frozen=True)
class DaskSettings:
    """The fields of Dask's runner."""

    address: str | None = setting("Address of a running scheduler, e.g. `tcp://head:8786`.", None)
    cluster_class: str | None = setting(
        "Dotted path of the class that starts a cluster for the run, e.g. `dask_jobqueue.SLURMCluster`.", None
    )
    cluster_kwargs: Mapping[str, Any] = setting("Arguments of that class.", {}, is_secret=True)
    adapt_kwargs: Mapping[str, Any] = setting(
        "Arguments of the cluster's `adapt`. Without them, a cluster without workers grows as tasks come.", {}
    )
    max_num_workers: int = setting("Tasks that run at once.", 32, of_run=True, ge=1)
    retry: int = setting("Resubmissions of a failed task.", 2, of_run=True, ge=0)
    poll_interval: float = setting("Seconds between two questions for the states of all tasks.", 1.0, gt=0)
    debug: bool = False
