"""Tasks as Slurm jobs."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from blocks.clusters.jobs import Cluster
from blocks.clusters.requirements import command_findings
from blocks.clusters.settings import Scheduler
from blocks.clusters.slurm.settings import SlurmSettings
from tasks.spec.findings import Finding


@dataclass(frozen=True)
class SlurmRunner(SlurmSettings):
    """Submits tasks to Slurm, `max_num_workers` at once."""

    scheduler: ClassVar[Scheduler] = Scheduler("Slurm", "A Slurm cluster", jobs="a Slurm batch job")

    @property
    def command(self) -> str:
        """The command that submits."""
        return self.submit_with or ("sbatch" if shutil.which("sbatch") or not shutil.which("srun") else "srun")

    def needs(self) -> list[Finding]:
        """What this machine lacks."""
        return command_findings(type(self).__name__, self.command)

    def cluster(self, run_folder: Path) -> Cluster:
        """See `ClusterRunner`."""
        return _cluster(self, run_folder, sequential=False)

    @staticmethod
    def find_job(name: str) -> str | None:
        """The id of a job of that name which waits or runs."""
        from blocks.clusters.slurm.batch import find_job

        return find_job(name)


@dataclass(frozen=True)
class SlurmSequentialRunner(SlurmRunner):
    """As SlurmRunner, with at most one job waiting in the queue."""

    task_prefix: str = ""
    """Begins the names of the jobs."""
    keep_tmp_file: bool = False

    def cluster(self, run_folder: Path) -> Cluster:
        """See `ClusterRunner`."""
        return _cluster(self, run_folder, sequential=True)


def _cluster(runner: SlurmRunner, run_folder: Path, *, sequential: bool) -> Cluster:
    from blocks.clusters.slurm.batch import SlurmCluster
    from blocks.clusters.slurm.srun import SrunCluster

    kind = SrunCluster if runner.command == "srun" else SlurmCluster
    return kind(runner, run_folder.name, sequential=sequential)
