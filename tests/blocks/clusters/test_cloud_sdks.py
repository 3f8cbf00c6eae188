"""DLC and VOLC through their vendors' SDKs, which speak to servers of their own here."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from support.clouds import VOLC_FILE

from blocks.clusters.dlc.runner import DLCRunner
from blocks.clusters.jobs import Cluster, Job, JobPhase, SchedulerSilent, SubmissionRefused
from blocks.clusters.volc.runner import VOLCRunner

KEYS = {"access_key_id": "the-id", "access_key_secret": "the-secret"}


@dataclass
class Service:
    """Answers of a cloud's HTTP interface, by `METHOD /path` or by action; what it was asked."""

    answers: dict[str, tuple[int, Any]] = field(default_factory=dict[str, tuple[int, Any]])
    asked: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    port: int = 0


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            url = urlsplit(self.path)
            action = parse_qs(url.query).get("Action", [f"{self.command} {url.path}"])[0]
            service.asked.append((action, json.loads(body) if body.strip() else None))
            service.headers.append(dict(self.headers))
            status, reply = service.answers.get(action, (404, {"Code": "NotFound", "Message": action}))
            text = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = answer  # noqa: N815

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield service
    server.shutdown()
    server.server_close()


def job(tmp_path: Path) -> Job:
    command, log = (sys.executable, "-c", "pass"), tmp_path / "run" / "logs" / "d.out"
    return Job("k", "OpenICLInfer[m/d]", "infer", command, tmp_path, log, 1, {"SERVICE_KEY": "canary-zqx"})


def dlc(service: Service, tmp_path: Path) -> Cluster:
    pytest.importorskip("alibabacloud_pai_dlc20201203")
    settings = {
        "client": "sdk",
        "region": "cn-x",
        "workspace_id": 7,
        "worker_image": "img",
        "data_sources": ["d-1"],
        **KEYS,
    }
    runner = DLCRunner({**settings, "endpoint": f"http://127.0.0.1:{service.port}"})
    assert runner.needs() == []
    return runner.cluster(tmp_path / "run")


def volc(service: Service, tmp_path: Path) -> Cluster:
    pytest.importorskip("volcenginesdkmlplatform20240701")
    (tmp_path / "task.yaml").write_text(VOLC_FILE + "Storages:\n- {Type: Tos, MountPath: /data, Bucket: b}\n")
    settings = {"client": "sdk", "region": "cn-x", "volcano_config_path": str(tmp_path / "task.yaml"), **KEYS}
    runner = VOLCRunner({**settings, "endpoint": f"http://127.0.0.1:{service.port}"}, "my-queue", priority=4)
    assert runner.needs() == []
    return runner.cluster(tmp_path / "run")


def result(values: Any) -> tuple[int, Any]:
    return 200, {"ResponseMetadata": {"RequestId": "r"}, "Result": values}


def refusal(status: int, code: str) -> tuple[int, Any]:
    return status, {"ResponseMetadata": {"RequestId": "r", "Error": {"Code": code, "Message": "told so"}}}


def test_a_job_of_dlc(service: Service, tmp_path: Path):
    cluster, work = dlc(service, tmp_path), job(tmp_path)
    service.answers["POST /api/v1/jobs"] = (200, {"JobId": "dlc1", "RequestId": "r"})
    assert cluster.submit([work], 1) == ["dlc1"]
    _, body = service.asked[0]
    [spec] = body["JobSpecs"]
    assert {key: value for key, value in spec.items() if value != []} == {
        "Type": "Worker", "PodCount": 1, "Image": "img", "UseSpotInstance": False,
        "ResourceConfig": {"CPU": "12", "GPU": "1", "Memory": "192Gi"},
    }  # fmt: skip
    assert body["WorkspaceId"] == "7" and body["DataSources"] == [{"DataSourceId": "d-1"}] and body["Priority"] == 1
    assert body["UserCommand"].endswith("-c pass") and "canary" not in json.dumps(service.asked)
    assert not any("the-secret" in value for headers in service.headers for value in headers.values())
    get = "GET /api/v1/jobs/dlc1"
    for status, code, phase in (
        ("Queuing", "", "waiting"), ("Running", "", "running"), ("Stopped", "StoppedByUser", "cancelled"),
        ("Succeeded", "", "done"),
    ):  # fmt: skip
        service.answers[get] = (200, {"JobId": "dlc1", "Status": status, "ReasonCode": code, "Pods": [{"PodId": "p"}]})
        assert cluster.reports({"dlc1": work})["dlc1"].phase == phase
    service.answers[get] = (200, {"Status": "Failed", "ReasonMessage": "image not found", "Pods": [{"PodId": "p"}]})
    service.answers["GET /api/v1/jobs/dlc1/pods/p/logs"] = (200, {"Logs": ["pulling", "no such image"]})
    report = cluster.reports({"dlc1": work})["dlc1"]
    said = cluster.explain("dlc1", work, report)
    assert report.phase is JobPhase.FAILED and "image not found" in said and said.endswith("pulling\nno such image")
    service.answers["POST /api/v1/jobs/dlc1/stop"] = (200, {"JobId": "dlc1"})
    cluster.cancel(["dlc1"])
    assert service.asked[-1][0] == "POST /api/v1/jobs/dlc1/stop"
    assert cluster.reports({"dlc2": work})["dlc2"].phase is JobPhase.UNKNOWN


def test_what_dlc_refuses(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("blocks.clusters.cloud._SECONDS_BETWEEN_SUBMISSIONS", 0.0)
    cluster = dlc(service, tmp_path)
    service.answers["POST /api/v1/jobs"] = (400, {"Code": "InvalidWorkspace", "Message": "no workspace 7"})
    with pytest.raises(SubmissionRefused, match="no workspace 7"):
        cluster.submit([job(tmp_path)], 1)


def test_a_job_of_volc(service: Service, tmp_path: Path):
    cluster, work = volc(service, tmp_path), job(tmp_path)
    service.answers["ListResourceQueues"] = result(
        {"Items": [{"Id": "q-0", "Name": "my-queue-2"}, {"Id": "q-1", "Name": "my-queue"}]}
    )
    service.answers["CreateJob"] = result({"Id": "j-1"})
    assert cluster.submit([work], 1) == ["j-1"]
    body = service.asked[-1][1]
    assert body["ResourceConfig"] == {
        "ResourceQueueId": "q-1", "Preemptible": False, "Priority": 4,
        "Roles": [
            {"Name": "worker", "Replicas": 1, "Resource": {"InstanceTypeId": "ml.pni2l.3xlarge", "Type": "Preset"}}
        ],
    }  # fmt: skip
    assert body["RuntimeConfig"]["Image"]["Url"] == "registry.example/compass:1" and "canary" not in json.dumps(body)
    assert body["StorageConfig"]["Storages"] == [
        {"Type": "Tos", "MountPath": "/data", "Config": {"Tos": {"Bucket": "b"}}}
    ]
    for state, phase in (("Queue", "waiting"), ("Running", "running"), ("Success", "done"), ("Failed", "failed")):
        service.answers["GetJob"] = result({"Id": "j-1", "Status": {"State": state, "Message": "words"}})
        report = cluster.reports({"j-1": work})["j-1"]
        assert report.phase == phase
    assert "words" in cluster.explain("j-1", work, report)
    service.answers["StopJob"] = result({"Id": "j-1"})
    cluster.cancel(["j-1"])
    assert service.asked[-1] == ("StopJob", {"Id": "j-1"})
    service.answers["GetJob"] = refusal(404, "NotFound.Job")
    assert cluster.reports({"j-1": work})["j-1"].phase is JobPhase.UNKNOWN
    assert not any("the-secret" in value for headers in service.headers for value in headers.values())


def test_what_volc_refuses_and_a_silent_service(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("blocks.clusters.cloud._SECONDS_BETWEEN_SUBMISSIONS", 0.0)
    cluster = volc(service, tmp_path)
    service.answers["ListResourceQueues"] = result({"Items": []})
    with pytest.raises(SubmissionRefused, match="no queue 'my-queue'"):
        cluster.submit([job(tmp_path)], 1)
    service.answers["ListResourceQueues"] = refusal(403, "AccessDenied")
    with pytest.raises(SubmissionRefused, match="AccessDenied: told so"):
        cluster.submit([job(tmp_path)], 1)
    service.answers["GetJob"] = refusal(500, "InternalError")
    begin = time.monotonic()
    with pytest.raises(SchedulerSilent, match="500"):
        cluster.reports({"j-1": job(tmp_path)})
    assert time.monotonic() - begin < 60
