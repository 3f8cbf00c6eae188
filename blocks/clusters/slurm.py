"""Tasks as Slurm jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from blocks.clusters.needs import command_findings
from tasks.spec.findings import Finding


@dataclass(frozen=True)
class SlurmRunner:
    """Submits tasks to Slurm, `max_num_workers` at once."""

    max_num_workers: int = 32
    retry: int = 2
    """Resubmissions of a failed job."""
    partition: str | None = None
    quotatype: str | None = None
    """A quota class that some clusters' schedulers know."""
    qos: str | None = None
    extra_command: Sequence[str] = ()
    """Further options of the submission."""
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks."""
        return command_findings(type(self).__name__, "srun")


@dataclass(frozen=True)
class SlurmSequentialRunner(SlurmRunner):
    """As SlurmRunner, with at most one job waiting in the queue."""

    task_prefix: str = ""
    """Begins the names of the jobs."""
    keep_tmp_file: bool = False
