"""Aliyun PAI-DLC through Aliyun's SDK (`alibabacloud-pai-dlc20201203`), for machines without the `dlc` command."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from blocks.clusters.dlc.command import data_sources, dlc_resources, gpus_needed
from blocks.clusters.dlc.states import dlc_report
from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused

_PACKAGE = "alibabacloud_pai_dlc20201203"
_LONGEST_NAME = 256
_CONNECT_MS, _READ_MS = 10_000, 60_000


def job_request(
    settings: Mapping[str, Any], name: str, shell: str, num_gpus: int, *, preemptible: bool
) -> dict[str, Any]:
    """The body of CreateJob, in the interface's words; `ecs_spec` names a machine outside of a quota."""
    needed = dlc_resources(settings, num_gpus)
    limits = {"CPU": str(needed.cpu), "Memory": f"{needed.memory_gib}Gi", "GPU": str(needed.gpu)}
    machine = {"EcsSpec": settings["ecs_spec"]} if settings.get("ecs_spec") else {"ResourceConfig": limits}
    spec = {
        "Type": "Worker",
        "PodCount": 1,
        "Image": settings["worker_image"],
        "UseSpotInstance": preemptible,
        **machine,
    }
    optional = {"ResourceId": settings.get("resource_id")}
    return {
        "DisplayName": name[:_LONGEST_NAME],
        "JobType": "PyTorchJob",
        "WorkspaceId": str(settings["workspace_id"]),
        "Priority": int(settings.get("priority", 1)),
        "UserCommand": shell,
        "JobSpecs": [spec | machine],
        "DataSources": [{"DataSourceId": source} for source in data_sources(settings)],
        "Settings": {"Shell": "bash"},
        **{key: value for key, value in optional.items() if value},
    }


class DLCSdk:
    """Jobs of one workspace."""

    title = "DLC"

    def __init__(self, settings: Mapping[str, Any], *, preemptible: bool, eval_with_gpu: Sequence[str]) -> None:
        self._settings = settings
        self._preemptible = preemptible
        self._eval_with_gpu = eval_with_gpu
        self._client = _client(settings)
        self._models: Any = import_module(f"{_PACKAGE}.models")
        self._pods: dict[str, str] = {}

    def submit(self, job: Job, shell: str) -> str:
        gpus = gpus_needed(job, self._eval_with_gpu)
        body = job_request(self._settings, job.name, shell, gpus, preemptible=self._preemptible)
        request = self._models.CreateJobRequest().from_map(body)
        try:
            job_id = str(_asked(lambda: self._client.create_job(request)).body.job_id)
        except _Refused as error:
            raise SubmissionRefused(str(error)) from error
        return job_id

    def report(self, job_id: str, job: Job) -> JobReport:
        try:
            found = _asked(lambda: self._client.get_job(job_id, self._models.GetJobRequest())).body
        except _Refused as error:
            if error.unknown:
                return JobReport(JobPhase.UNKNOWN, str(error))
            raise SchedulerSilent(str(error)) from error
        self._pods[job_id] = found.pods[0].pod_id if found.pods else f"{job_id}-worker-0"
        return dlc_report(str(found.status), found.reason_code or "", found.reason_message or "")

    def output(self, job_id: str) -> str:
        try:
            found = _asked(
                lambda: self._client.get_pod_logs(job_id, self._pods[job_id], self._models.GetPodLogsRequest())
            ).body
        except _Refused as error:
            raise SchedulerSilent(str(error)) from error
        return "\n".join(found.logs or ())

    def cancel(self, job_id: str) -> None:
        try:
            _asked(lambda: self._client.stop_job(job_id))
        except _Refused as error:  # an ended job cannot be stopped
            if not error.unknown and "stop" not in str(error).lower():
                raise SchedulerSilent(str(error)) from error


class _Refused(Exception):
    """The service says no."""

    def __init__(self, message: str, *, unknown: bool) -> None:
        super().__init__(message)
        self.unknown = unknown
        """Whether it does not know what was asked for."""


def _asked(call: Callable[[], Any]) -> Any:
    """The reply of a call; _Refused for a reply of status 4xx, SchedulerSilent for anything else that is no reply."""
    exceptions: Any = import_module("alibabacloud_tea_openapi.exceptions")
    try:
        return call()
    except exceptions.ClientException as error:
        message = f"{error.code}: {error.message}"
        raise _Refused(message, unknown=error.status_code == 404) from error
    except Exception as error:
        raise SchedulerSilent(f"DLC: {type(error).__name__}: {error}") from error


def _client(settings: Mapping[str, Any]) -> Any:
    """The SDK's client; without keys in the settings, those that Aliyun's default chain finds (environment, files)."""
    key, secret = settings.get("access_key_id"), settings.get("access_key_secret")
    endpoint = str(settings.get("endpoint") or f"pai-dlc.{settings['region']}.aliyuncs.com")
    scheme, separator, host = endpoint.partition("://")
    config: Any = import_module("alibabacloud_tea_openapi.utils_models").Config(
        endpoint=host if separator else endpoint,
        protocol=scheme.upper() if separator else "HTTPS",
        region_id=settings.get("region"),
        connect_timeout=_CONNECT_MS,
        read_timeout=_READ_MS,
    )
    if key and secret:
        config.access_key_id, config.access_key_secret = str(key), str(secret)
    else:
        config.credential = import_module("alibabacloud_credentials.client").Client()
    return import_module(f"{_PACKAGE}.client").Client(config)
