"""Runs of MLflow, one per model, by its client: https://mlflow.org/docs/latest/api_reference/python_api/mlflow.client.html"""

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tasks.report.exports.tracking import TrackedRun
from tasks.spec.findings import Finding, UserError

_KEY, _FOLDER = "compass.key", "compass.run"
_NOT_ALLOWED = re.compile(r"[^\w\-. /:]")
_LONGEST = 500
"""Characters that every version takes as the value of a parameter."""
_AT_ONCE = 100


def log_to_mlflow(
    runs: Sequence[TrackedRun], files: Sequence[Path], *, experiment: str, address: str | None
) -> list[str]:
    """Logs scores, settings and files; a run that was exported before is brought up to date. Returns their ids.

    `address` is a tracking URI, or None for that of the environment. UserError if MLflow is missing or refuses.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    try:
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException
    except ImportError as error:
        remedy = "pip install 'compass-llm-eval[mlflow]'"
        raise UserError(Finding(f"MLflow needs the package {error.name or error}", remedy=remedy)) from error
    try:
        client = MlflowClient(tracking_uri=address)
        known = client.get_experiment_by_name(experiment)
        experiment_id = known.experiment_id if known else client.create_experiment(experiment)
        return [_log(client, experiment_id, run, files) for run in runs]
    except MlflowException as error:
        raise UserError(f"MLflow: {str(error).splitlines()[0]}") from error


def _log(client: Any, experiment_id: str, run: TrackedRun, files: Sequence[Path]) -> str:
    from mlflow.entities import Metric, Param

    earlier = client.search_runs([experiment_id], filter_string=f"tags.`{_KEY}` = '{run.key}'", max_results=1)
    tags = {_KEY: run.key, _FOLDER: run.group}
    known: dict[str, str] = earlier[0].data.params if earlier else {}
    run_id = (earlier[0] if earlier else client.create_run(experiment_id, run_name=run.name, tags=tags)).info.run_id
    now = int(time.time() * 1000)
    metrics = [Metric(_name(name), value, now, 0) for name, value in run.metrics.items()]
    params = [Param(name, value) for name, value in _params(run) if known.get(name) != value]
    for start in range(0, max(len(metrics), len(params)), _AT_ONCE):
        client.log_batch(run_id, metrics[start : start + _AT_ONCE], params[start : start + _AT_ONCE])
    for path in files:
        client.log_artifact(run_id, str(path))
    client.set_terminated(run_id)
    return run_id


def _params(run: TrackedRun) -> Iterator[tuple[str, str]]:
    for name, value in run.settings.items():
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield _name(name), text[:_LONGEST]


def _name(name: str) -> str:
    return _NOT_ALLOWED.sub("_", name)
