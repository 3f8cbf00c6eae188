"""Tasks as jobs of Aliyun PAI-DLC."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from blocks.clusters.needs import command_findings, file_findings
from tasks.spec.findings import Finding


@dataclass(frozen=True)
class DLCRunner:
    """Submits tasks with the `dlc` command, `max_num_workers` at once."""

    aliyun_cfg: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """`workspace_id`, `worker_image`, `dlc_config_path`, `conda_env_name`, …"""
    max_num_workers: int = 32
    eval_with_gpu: Sequence[str] = ("plugin_eval",)
    """Words in the names of scoring tasks that get a GPU."""
    retry: int = 2
    """Resubmissions of a failed job."""
    keep_tmp_file: bool = True
    preemptible: bool = False
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks."""
        name, path = type(self).__name__, self.aliyun_cfg.get("dlc_config_path")
        return [*command_findings(name, "dlc"), *file_findings(name, "dlc_config_path", path)]
