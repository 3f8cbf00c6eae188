"""Tasks as jobs of the `rjob` scheduler."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from blocks.clusters.needs import command_findings
from tasks.spec.findings import Finding


@dataclass(frozen=True)
class RJOBRunner:
    """Submits tasks with the `rjob` command, `max_num_workers` at once."""

    rjob_cfg: Mapping[str, Any]
    """`task_id`, `image`, `mount`, `env`, `memory`, `cpu`, `charged_group`, …"""
    max_num_workers: int = 32
    retry: int = 100
    """Resubmissions of a failed job."""
    keep_tmp_file: bool = True
    phase: str | None = None
    """Accepted for compatibility: the stage is known."""
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks."""
        return command_findings(type(self).__name__, "rjob")
