"""Tasks as jobs of Volcano Engine's machine-learning platform."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from blocks.clusters.cloud import CloudCluster, CloudService
from blocks.clusters.job_shell import job_shell
from blocks.clusters.jobs import Cluster
from blocks.clusters.requirements import command_findings, file_findings, package_findings, setting_findings
from blocks.clusters.settings import Scheduler, setting
from blocks.clusters.volc.file import ROLE, read, roles_of
from tasks.spec.findings import Finding, Place
from tasks.spec.secrets.redaction import resolve_references

_POLL_SECONDS = 20.0


@dataclass(frozen=True)
class VOLCRunner:
    """Submits tasks with the `volc` command, or Volcano Engine's SDK, `max_num_workers` at once."""

    scheduler: ClassVar[Scheduler] = Scheduler(
        "VOLC",
        "Volcano Engine's machine-learning platform",
        jobs="a job of Volcano Engine's machine-learning platform",
    )
    volcano_cfg: Mapping[str, Any] = setting(
        "`volcano_config_path`, `python_env_path` or `bashrc_path` with `conda_env_name`, …; `client='sdk'`.",
        is_secret=True,
    )
    queue_name: str = setting("Resource queue.")
    preemptible: bool = setting("Whether jobs may be preempted.", False)
    priority: int | None = setting("Priority of the jobs.", None)
    max_num_workers: int = setting("Jobs that run at once.", 32, of_run=True, ge=1)
    retry: int = setting("Resubmissions of a failed job.", 2, of_run=True, ge=0)
    keep_tmp_file: bool = True
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks, and what the settings and the job's file lack."""
        name, settings = type(self).__name__, self.volcano_cfg
        path = settings.get("volcano_config_path")
        missing = [
            *setting_findings("volcano_cfg", settings, ("volcano_config_path",)),
            *file_findings(name, "volcano_config_path", path),
        ]
        if _by_sdk(settings):
            client = package_findings(name, "volcenginesdkmlplatform20240701", "volc")
            missing += setting_findings("volcano_cfg", settings, ("region",))
        else:
            client = command_findings(name, "volc")
        return [*client, *missing, *(_role_findings(Path(path).expanduser()) if path and not missing else [])]

    def cluster(self, run_folder: Path) -> Cluster:
        """The platform for the jobs of one run."""
        settings: dict[str, Any] = resolve_references(dict(self.volcano_cfg))
        poll = float(settings.get("poll_seconds") or _POLL_SECONDS)
        return CloudCluster(self._service(settings), job_shell(settings), run_folder, poll)

    def _service(self, settings: dict[str, Any]) -> CloudService:
        file = Path(settings["volcano_config_path"])
        if _by_sdk(settings):
            from blocks.clusters.volc.sdk import VolcSdk

            return VolcSdk(settings, file, queue=self.queue_name, preemptible=self.preemptible, priority=self.priority)
        from blocks.clusters.volc.command import VolcCommand

        return VolcCommand(file, queue=self.queue_name, preemptible=self.preemptible, priority=self.priority)


def _by_sdk(settings: Mapping[str, Any]) -> bool:
    return settings.get("client") == "sdk"


def _role_findings(path: Path) -> list[Finding]:
    """The flavour of the role `worker` is set for each task, so the file must have one."""
    try:
        roles = [role.get("RoleName") for role in roles_of(read(path))]
    except (OSError, ValueError) as error:
        return [Finding(str(error), Place(str(path)))]
    if ROLE in roles:
        return []
    message = f"no role named {ROLE!r}; it has {', '.join(map(str, roles)) or 'none'}"
    return [Finding(message, Place(str(path), key="TaskRoleSpecs"), f"name one of them RoleName: {ROLE}")]
