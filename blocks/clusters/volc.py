"""Tasks as jobs of Volcano Engine's machine-learning platform."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from blocks.clusters.needs import command_findings, file_findings
from tasks.spec.findings import Finding, Place

_ROLE = "worker"


@dataclass(frozen=True)
class VOLCRunner:
    """Submits tasks with the `volc` command, `max_num_workers` at once."""

    volcano_cfg: Mapping[str, Any]
    """`volcano_config_path`, `python_env_path` or `bashrc_path` with `conda_env_name`, …"""
    queue_name: str
    preemptible: bool = False
    priority: int | None = None
    max_num_workers: int = 32
    retry: int = 2
    """Resubmissions of a failed job."""
    keep_tmp_file: bool = True
    debug: bool = False

    def needs(self) -> list[Finding]:
        """What this machine lacks, and what the job's file lacks."""
        name, path = type(self).__name__, self.volcano_cfg.get("volcano_config_path")
        missing = file_findings(name, "volcano_config_path", path)
        roles = _role_findings(Path(path).expanduser()) if path and not missing else []
        return [*command_findings(name, "volc"), *missing, *roles]


def _role_findings(path: Path) -> list[Finding]:
    """The flavour of the role `worker` is set for each task, so the file must have one."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        yaml: Any = YAML(typ="safe", pure=True)
        content = yaml.load(path)
    except (YAMLError, OSError, UnicodeDecodeError) as error:
        return [Finding(f"not YAML: {str(error).splitlines()[0]}", Place(str(path)))]
    specs = cast(dict[str, Any], content).get("TaskRoleSpecs") if isinstance(content, dict) else None
    roles = [cast(dict[str, Any], spec).get("RoleName") for spec in specs or () if isinstance(spec, dict)]
    if _ROLE in roles:
        return []
    message = f"no role named {_ROLE!r}; it has {', '.join(map(str, roles)) or 'none'}"
    return [Finding(message, Place(str(path), key="TaskRoleSpecs"), f"name one of them RoleName: {_ROLE}")]
