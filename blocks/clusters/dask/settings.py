"""What a configuration says about tasks of Dask."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class DaskSettings:
    """The fields of Dask's runner."""

    address: str | None = None
    """Of a scheduler that is up, e.g. `tcp://head:8786`."""
    cluster_class: str | None = None
    """Dotted path of what starts a cluster for the run, e.g. `dask_jobqueue.SLURMCluster`."""
    cluster_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arguments of that class."""
    adapt_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Arguments of the cluster's `adapt`; without them, a cluster that begins empty grows as tasks come."""
    max_num_workers: int = 32
    retry: int = 2
    """How often a failed task is handed over again."""
    poll_interval: float = 1.0
    """Seconds between two questions for the states of all tasks."""
    debug: bool = False
