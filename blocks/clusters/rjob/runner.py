"""Tasks as jobs of the `rjob` scheduler."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from blocks.clusters.cloud import CloudCluster
from blocks.clusters.job_shell import JobShell, activation, by_privacy
from blocks.clusters.jobs import Cluster
from blocks.clusters.requirements import command_findings
from blocks.clusters.settings import Scheduler, setting
from tasks.spec.findings import Finding
from tasks.spec.secrets.redaction import resolve_references

_POLL_SECONDS = 60.0


@dataclass(frozen=True)
class RJOBRunner:
    """Submits tasks with the `rjob` command, `max_num_workers` at once."""

    scheduler: ClassVar[Scheduler] = Scheduler("RJOB", "The `rjob` scheduler", jobs="a job of the rjob scheduler")
    rjob_cfg: Mapping[str, Any] = setting(
        "`task_id`, `image`, `mount`, `env`, `memory`, `cpu`, `charged_group`, …", is_secret=True
    )
    max_num_workers: int = setting("Jobs that run at once.", 32, of_run=True, ge=1)
    retry: int = setting("Resubmissions of a failed job.", 100, of_run=True, ge=0)
    keep_tmp_file: bool = True
    phase: str | None = None
    """Accepted for compatibility: the stage is known."""
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks."""
        return command_findings(type(self).__name__, "rjob")

    def cluster(self, run_folder: Path) -> Cluster:
        """The scheduler for the jobs of one run."""
        from blocks.clusters.rjob.command import RJOBCommand

        settings: dict[str, Any] = resolve_references(dict(self.rjob_cfg))
        environment: dict[str, Any] = settings.get("env") or {}
        public, private = by_privacy({name: str(value) for name, value in environment.items()})
        shell = JobShell(activation(settings), private=private)
        poll = float(settings.get("poll_seconds") or _POLL_SECONDS)
        return CloudCluster(RJOBCommand(settings, public), shell, run_folder, poll)
