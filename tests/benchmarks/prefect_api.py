"""Prefect's API as its pages call it: what a server has to hold, and what it costs to show it."""

import base64
import json
import urllib.request
from collections.abc import Mapping
from typing import Any, NamedTuple

from benchmarks.processes import cpu_so_far

from flows.local_server.state import address_of, read_record, server_files

_REPEATS = 50


class _Query(NamedTuple):
    """A request of a page; one without a body is a GET."""

    path: str
    body: Any = None


class PrefectApi:
    """The local server of an environment."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        files = server_files(environ)
        record = read_record(files)
        assert record is not None
        address = address_of(files, record.port)
        token = base64.b64encode((address.auth_string or "").encode()).decode()
        self._url = address.url
        self._process = record.server
        self._headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}

    def task_runs(self) -> int:
        """Of all runs so far."""
        return self._call(_Query("task_runs/count", {}))

    def pages(self) -> dict[str, float]:
        """What queries of the pages cost an idle server, in ms of CPU: lists, and the newest inference."""
        newest = {"flows": {"name": {"any_": ["infer"]}}, "sort": "START_TIME_DESC", "limit": 1}
        [run] = self._call(_Query("flow_runs/filter", newest))
        return {name: self._cost(query) for name, query in _queries(run["id"]).items()}

    def _cost(self, query: _Query) -> float:
        before = cpu_so_far(self._process)
        for _ in range(_REPEATS):
            self._call(query)
        return 1000 * (cpu_so_far(self._process) - before) / _REPEATS

    def _call(self, query: _Query) -> Any:
        data = None if query.body is None else json.dumps(query.body).encode()
        request = urllib.request.Request(f"{self._url}/{query.path}", data, self._headers)
        with urllib.request.urlopen(request, timeout=60) as reply:
            return json.loads(reply.read())


def _queries(run: str) -> dict[str, _Query]:
    of_run = {"flow_runs": {"id": {"any_": [run]}}}
    return {
        "list of runs": _Query("flow_runs/paginate", {"sort": "START_TIME_DESC", "limit": 100, "page": 1}),
        "a run": _Query(f"flow_runs/{run}"),
        "its graph": _Query(f"flow_runs/{run}/graph-v2"),
        "its task runs": _Query("task_runs/paginate", {**of_run, "sort": "EXPECTED_START_TIME_DESC", "limit": 100}),
        "number of its task runs": _Query("ui/flow_runs/count-task-runs", {"flow_run_ids": [run]}),
        "its log": _Query("logs/filter", {"logs": {"flow_run_id": {"any_": [run]}}, "limit": 200}),
        "its artifacts": _Query("artifacts/filter", {**of_run, "limit": 100}),
        "events": _Query("events/filter", {"limit": 50}),
    }
