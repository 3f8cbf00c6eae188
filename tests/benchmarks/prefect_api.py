"""Prefect's API as its pages call it: what a server has to hold, and what it costs to show it."""

import base64
import json
import time
import urllib.request
from collections.abc import Mapping
from typing import Any, NamedTuple

from flows.local_server.state import address_of, read_record, server_files

_REPEATS = 9


class _Query(NamedTuple):
    """A request of a page; one without a body is a GET."""

    path: str
    body: Any = None


_PLAIN = _Query("health")


class PrefectApi:
    """The local server of an environment."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        files = server_files(environ)
        record = read_record(files)
        assert record is not None
        address = address_of(files, record.port)
        token = base64.b64encode((address.auth_string or "").encode()).decode()
        self._url = address.url
        self._headers = {"Authorization": f"Basic {token}", "Content-Type": "application/json"}

    def task_runs(self) -> int:
        """Of all runs so far."""
        return self._call(_Query("task_runs/count", {}))

    def pages(self) -> dict[str, float]:
        """How long the queries of the pages take, as multiples of a request that does nothing: lists, newest inference.

        Queries and plain requests take turns, and of each the quickest counts.
        """
        newest = {"flows": {"name": {"any_": ["infer"]}}, "sort": "START_TIME_DESC", "limit": 1}
        [run] = self._call(_Query("flow_runs/filter", newest))
        queries = _queries(run["id"])
        seconds: dict[str, list[float]] = {name: [] for name in queries}
        plain: list[float] = []
        for _ in range(_REPEATS):
            plain.append(self._seconds(_PLAIN))
            for name, query in queries.items():
                seconds[name].append(self._seconds(query))
        return {name: min(found) / min(plain) for name, found in seconds.items()}

    def _seconds(self, query: _Query) -> float:
        started = time.perf_counter()
        self._call(query)
        return time.perf_counter() - started

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
