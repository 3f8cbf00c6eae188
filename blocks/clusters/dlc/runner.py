"""Tasks as jobs of Aliyun PAI-DLC."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from blocks.clusters.cloud import CloudCluster, CloudService
from blocks.clusters.job_shell import job_shell
from blocks.clusters.jobs import Cluster
from blocks.clusters.requirements import command_findings, file_findings, package_findings, setting_findings
from blocks.clusters.settings import Scheduler, setting
from tasks.spec.findings import Finding
from tasks.spec.secrets.redaction import resolve_references


@dataclass(frozen=True)
class DLCRunner:
    """Submits tasks with the `dlc` command, or Aliyun's SDK, `max_num_workers` at once."""

    scheduler: ClassVar[Scheduler] = Scheduler("DLC", "Aliyun PAI-DLC", jobs="a job of Aliyun PAI-DLC")
    aliyun_cfg: Mapping[str, Any] = setting(
        "`workspace_id`, `worker_image`, `dlc_config_path`, `conda_env_name`, …; `client='sdk'` for the SDK.",
        {},
        is_secret=True,
    )
    max_num_workers: int = setting("Jobs that run at once.", 32, of_run=True, ge=1)
    eval_with_gpu: Sequence[str] = ("plugin_eval",)
    """Words in the names of scoring tasks that get a GPU."""
    retry: int = setting("Resubmissions of a failed job.", 2, of_run=True, ge=0)
    keep_tmp_file: bool = True
    preemptible: bool = setting("Whether jobs may be preempted.", False)
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks, and what the settings lack."""
        name, settings = type(self).__name__, self.aliyun_cfg
        missing = setting_findings("aliyun_cfg", settings, ("workspace_id", "worker_image"))
        if _by_sdk(settings):
            sdk = package_findings(name, "alibabacloud_pai_dlc20201203", "dlc")
            return [*missing, *setting_findings("aliyun_cfg", settings, ("region",)), *sdk]
        path = settings.get("dlc_config_path")
        return [*missing, *command_findings(name, "dlc"), *file_findings(name, "dlc_config_path", path)]

    def cluster(self, run_folder: Path) -> Cluster:
        """DLC for the jobs of one run."""
        settings: dict[str, Any] = resolve_references(dict(self.aliyun_cfg))
        poll = settings.get("poll_seconds") or settings.get("dlc_sleep_time", 10) + 2
        return CloudCluster(self._service(settings), job_shell(settings), run_folder, float(poll))

    def _service(self, settings: dict[str, Any]) -> CloudService:
        if _by_sdk(settings):
            from blocks.clusters.dlc.sdk import DLCSdk

            return DLCSdk(settings, preemptible=self.preemptible, eval_with_gpu=self.eval_with_gpu)
        from blocks.clusters.dlc.command import DLCCommand

        return DLCCommand(settings, preemptible=self.preemptible, eval_with_gpu=self.eval_with_gpu)


def _by_sdk(settings: Mapping[str, Any]) -> bool:
    return settings.get("client") == "sdk"
