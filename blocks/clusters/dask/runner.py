"""Tasks on workers of Dask."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blocks.clusters.jobs import Cluster
from blocks.clusters.requirements import package_findings
from tasks.spec.findings import Finding


@dataclass(frozen=True)
class DaskRunner:
    """Has tasks run by workers of a Dask cluster, `max_num_workers` at once; without further words, by this machine."""

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

    def needs(self) -> list[Finding]:
        """What this machine lacks, and settings that contradict each other."""
        name, findings = type(self).__name__, list[Finding]()
        if self.address and (self.cluster_class or self.cluster_kwargs or self.adapt_kwargs):
            message = f"{name}: `address` names a cluster that is up, `cluster_class` and its arguments start another"
            findings.append(Finding(message, remedy="keep one of them"))
        package = (self.cluster_class or "").partition(".")[0]
        return [
            *findings,
            *package_findings(name, "distributed", "dask"),
            *(package_findings(name, package, "dask") if package and "." in str(self.cluster_class) else []),
        ]

    def cluster(self, run_folder: Path) -> Cluster:
        """See `ClusterRunner`."""
        from blocks.clusters.dask.cluster import DaskCluster

        return DaskCluster(self, run_folder)
