"""Volcano Engine's machine-learning platform through its SDK, for machines without the `volc` command."""

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from blocks.clusters.volc.command import task_name
from blocks.clusters.volc.file import job_content, roles_of
from blocks.clusters.volc.states import volc_report
from tasks.spec.storage.json_text import parse_json

_PACKAGE = "volcenginesdkmlplatform20240701"


def job_request(
    content: Mapping[str, Any], name: str, shell: str, *, queue_id: str, preemptible: bool, priority: int | None
) -> dict[str, Any]:
    """The body of CreateJob made of a job's file, whose words are those of the command line tool."""
    resources: dict[str, Any] = {"ResourceQueueId": queue_id, "Preemptible": preemptible, "Roles": _roles(content)}
    if priority is not None:
        resources["Priority"] = priority
    runtime = {
        "Framework": content.get("Framework", "Custom"),
        "Command": shell,
        "Image": {"Type": content.get("ImageType", "Custom"), "Url": content.get("ImageUrl")},
        "Envs": [dict(env) for env in content.get("Envs") or ()],
    }
    body = {"Name": task_name(name), "ResourceConfig": resources, "RuntimeConfig": runtime}
    storages = [_storage(storage) for storage in content.get("Storages") or ()]
    return body | ({"StorageConfig": {"Storages": storages}} if storages else {})


class VolcSdk:
    """Jobs of one queue."""

    title = "VOLC"

    def __init__(
        self, settings: Mapping[str, Any], file: Path, *, queue: str, preemptible: bool, priority: int | None
    ) -> None:
        """`file` describes the jobs but for their machines."""
        self._file = file
        self._queue = queue
        self._preemptible = preemptible
        self._priority = priority
        self._sdk: Any = import_module(_PACKAGE)
        self._api = _api(settings)
        self._queue_id = settings.get("queue_id")

    def submit(self, job: Job, shell: str) -> str:
        content = job_content(self._file, job.num_gpus)
        try:
            body = job_request(
                content,
                job.name,
                shell,
                queue_id=self._found_queue(),
                preemptible=self._preemptible,
                priority=self._priority,
            )
            request = _model(self._sdk, "CreateJobRequest", body)
            return str(_asked(lambda: self._api.create_job(request)).id)
        except _Refused as error:
            raise SubmissionRefused(str(error)) from error

    def report(self, job_id: str, job: Job) -> JobReport:
        try:
            status = _asked(lambda: self._api.get_job(self._sdk.GetJobRequest(id=job_id))).status
        except _Refused as error:
            if error.unknown:
                return JobReport(JobPhase.UNKNOWN, str(error))
            raise SchedulerSilent(str(error)) from error
        return volc_report(str(status.state), status.message or "")

    def output(self, job_id: str) -> str:
        return ""  # the SDK reads no logs

    def cancel(self, job_id: str) -> None:
        try:
            _asked(lambda: self._api.stop_job(self._sdk.StopJobRequest(id=job_id)))
        except _Refused as error:  # an ended job cannot be stopped
            if not error.unknown and "state" not in str(error).lower():
                raise SchedulerSilent(str(error)) from error

    def _found_queue(self) -> str:
        """The id of the queue with the configured name."""
        if self._queue_id is None:
            request = self._sdk.ListResourceQueuesRequest(name_contains=self._queue, page_size=100)
            queues = _asked(lambda: self._api.list_resource_queues(request)).items or ()
            self._queue_id = next((str(queue.id) for queue in queues if queue.name == self._queue), None)
        if self._queue_id is None:
            raise SubmissionRefused(f"there is no queue {self._queue!r}")
        return self._queue_id


class _Refused(Exception):
    """The service says no."""

    def __init__(self, message: str, *, unknown: bool) -> None:
        super().__init__(message)
        self.unknown = unknown
        """Whether it does not know what was asked for."""


def _asked(call: Callable[[], Any]) -> Any:
    """The reply of a call; _Refused for a reply of status 4xx, SchedulerSilent for anything else that is no reply."""
    rest: Any = import_module("volcenginesdkcore.rest")
    try:
        return call()
    except rest.ApiException as error:
        code, message = _words(error.body)
        if error.status is None or not 400 <= int(error.status) < 500:
            raise SchedulerSilent(f"VOLC: {error.status} {error.reason} {message}") from error
        unknown = int(error.status) == 404 or "notfound" in code.lower()
        raise _Refused(f"{code}: {message}", unknown=unknown) from error
    except Exception as error:
        raise SchedulerSilent(f"VOLC: {type(error).__name__}: {error}") from error


def _words(body: Any) -> tuple[str, str]:
    """Code and message of an error's body."""
    try:
        error: Any = parse_json(body)["ResponseMetadata"]["Error"]
        return str(error.get("Code", "")), str(error.get("Message", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return "", str(body or "")


def _api(settings: Mapping[str, Any]) -> Any:
    """The SDK's interface; without keys in the settings, those of its environment variables are used."""
    core: Any = import_module("volcenginesdkcore")
    configuration = core.Configuration()
    configuration.ak = str(settings.get("access_key_id") or os.environ.get("VOLCENGINE_ACCESS_KEY", ""))
    configuration.sk = str(settings.get("access_key_secret") or os.environ.get("VOLCENGINE_SECRET_KEY", ""))
    configuration.region = str(settings["region"])
    if endpoint := settings.get("endpoint"):
        scheme, separator, host = str(endpoint).partition("://")
        configuration.host, configuration.scheme = (host, scheme) if separator else (str(endpoint), "https")
    return import_module(_PACKAGE).MLPLATFORM20240701Api(core.ApiClient(configuration))


def _model(sdk: Any, name: str, values: Mapping[str, Any]) -> Any:
    """The SDK's object for a body in the interface's words; SubmissionRefused for a word that it has not got."""
    kind = getattr(sdk, name)
    attributes = {word: attribute for attribute, word in kind.attribute_map.items()}
    if unknown := values.keys() - attributes.keys():
        raise SubmissionRefused(f"the job's file: {name} knows no {', '.join(sorted(unknown))}")
    return kind(**{attributes[key]: _value(sdk, kind.swagger_types[attributes[key]], values[key]) for key in values})


def _value(sdk: Any, kind: str, value: Any) -> Any:
    if kind.startswith("list[") and isinstance(value, list):
        return [_value(sdk, kind[len("list[") : -1], item) for item in cast(list[Any], value)]
    return _model(sdk, kind, cast(dict[str, Any], value)) if isinstance(value, dict) else value


def _roles(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "Name": role.get("RoleName"),
            "Replicas": int(role.get("RoleReplicas", 1)),
            "Resource": {"InstanceTypeId": role.get("Flavor"), "Type": "Preset"},
        }
        for role in roles_of(content)
    ]


def _storage(storage: Mapping[str, Any]) -> dict[str, Any]:
    """A mount of the file; what is particular to its type stands below the type's name."""
    common = ("Type", "MountPath", "ReadOnly")
    particular = {key: value for key, value in storage.items() if key not in common}
    return {**{key: storage[key] for key in common if key in storage}, "Config": {storage.get("Type"): particular}}
