"""Tasks on workers of Dask."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from blocks.clusters.dask.settings import DaskSettings
from blocks.clusters.jobs import Cluster
from blocks.clusters.requirements import package_findings
from blocks.clusters.settings import Scheduler
from tasks.spec.findings import Finding


@dataclass(frozen=True)
class DaskRunner(DaskSettings):
    """Has tasks run by workers of a Dask cluster, `max_num_workers` at once; without further words, by this machine."""

    scheduler: ClassVar[Scheduler] = Scheduler("Dask", "A Dask cluster")

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
