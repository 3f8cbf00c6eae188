"""What a flow run of a deployment may be asked for: its worker is elsewhere, so a relative path would mean nothing."""

from collections.abc import Iterator
from pathlib import Path

from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.plan.source.configuration import packaged_config
from tasks.plan.station_path import names_folder
from tasks.spec.findings import Finding, Place, UserError

_REMEDY = "give an absolute path"


def deployed_request(request: RunRequest) -> RunRequest:
    """The request with the packaged configuration that a relative path names; UserError for any other relative path."""
    findings = [*_relative_paths(request), *_missing_run(request)]
    packaged = packaged_config(request.config) if request.config else None
    if request.config and packaged is None and not _is_absolute(request.config):
        what = f"{request.config!r} is a relative path, and no packaged configuration is called so"
        findings.insert(0, Finding(what, Place(key="config"), _REMEDY))
    if findings:
        raise UserError(findings)
    return request.model_copy(update={"config": str(packaged)}) if packaged else request


def check_deployed_plan(plan: RunPlan) -> None:
    """UserError if the run would lie in whatever folder the worker happens to be in."""
    if not plan.work_dir.is_absolute():
        message = f"the configuration's work_dir {str(plan.work_dir)!r} is relative"
        raise UserError(Finding(message, Place(key="work_dir"), _REMEDY))


def absolute_folder(run_folder: str) -> Path:
    """The run folder that a stage is asked to work on; UserError if there is none, or the path is relative."""
    folder = Path(run_folder).expanduser()
    place = Place(key="run_folder")
    if not folder.is_absolute():
        raise UserError(Finding(f"{run_folder!r} is relative", place, _REMEDY))
    if not folder.is_dir():
        raise UserError(Finding(f"there is no folder {run_folder}", place))
    return folder


def _relative_paths(request: RunRequest) -> Iterator[Finding]:
    custom = request.custom
    paths = {
        "work_dir": request.work_dir,
        "config_dir": request.config_dir,
        "cache": request.cache,
        "station_path": request.station_path if names_folder(request.station_path or "") else None,
        "aliyun_cfg": request.aliyun_cfg,
        "custom.path": custom and custom.path,
        "custom.meta_path": custom and custom.meta_path,
    }
    for key, path in paths.items():
        if path and not _is_absolute(path):
            yield Finding(f"{path!r} is relative", Place(key=key), _REMEDY)


def _missing_run(request: RunRequest) -> Iterator[Finding]:
    if request.mode in ("eval", "viz") and not (request.reuse or request.read_from_station):
        message = f"mode {request.mode} reads the files of an earlier run"
        yield Finding(message, Place(key="reuse"), "give its timestamp, or `latest`")


def _is_absolute(path: str) -> bool:
    return Path(path).expanduser().is_absolute()
