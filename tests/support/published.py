"""Model outputs that others published, and their scores from the real command line."""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from support.repository import ROOT
from support.shared_data import shared_data

from tasks.spec.storage.run_folder import read_json, write_json

Records = Mapping[str, Any]
"""A predictions file: `{"0": {"prediction": …}, …}`."""

_RUN = "20231201_000000"
_CONFIG = """\
from opencompass.models import OpenAISDK
from tasks.spec import read_base

with read_base():
    {imports}

datasets = [entry for entry in [{datasets}] if entry['abbr'] in {abbrs}]
models = [
    dict(type=OpenAISDK, abbr=abbr, path=abbr, key='EMPTY', openai_api_base='http://127.0.0.1:9/v1')
    for abbr in {models}
]
work_dir = {work_dir!r}
"""


def published_rows(relative: str) -> list[dict[str, Any]]:
    """Rows of a file of the shared data with one JSON object per line, gzipped or not."""
    path = shared_data(relative)
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode().split("\n") if line]


def published_facts(name: str) -> dict[str, Any]:
    """What the manifest of the shared data says of a set of model outputs."""
    manifest = read_json(shared_data("MANIFEST.json"))
    return next(entry for entry in manifest["datasets"] if entry["name"] == name)


def records_of(predictions: Sequence[str]) -> Records:
    """A predictions file as OpenCompass writes it, without what scoring does not need."""
    return {str(index): {"prediction": prediction} for index, prediction in enumerate(predictions)}


def evaluate(
    folder: Path, configs: Mapping[str, str], predictions: Mapping[str, Mapping[str, Records]]
) -> dict[tuple[str, str], dict[str, Any]]:
    """Results by model and dataset of `compass CONFIG -m eval` over the predictions of a run that OpenCompass made.

    `configs` are packaged dataset configurations and the name of their list; `predictions` by model, then by dataset.
    Only datasets with predictions are scored.
    """
    run = folder / "outputs" / _RUN
    for model, datasets in predictions.items():
        for dataset, records in datasets.items():
            write_json(run / "predictions" / model / f"{dataset}.json", records)
    imports = "\n    ".join(f"from opencompass.configs.datasets.{path} import {name}" for path, name in configs.items())
    lists = ", ".join(f"*{name}" for name in configs.values())
    abbrs = sorted({dataset for datasets in predictions.values() for dataset in datasets})
    text = _CONFIG.format(
        imports=imports, datasets=lists, abbrs=abbrs, models=list(predictions), work_dir=str(folder / "outputs")
    )
    (folder / "published.py").write_text(text)
    _compass(folder, "published.py", "-m", "eval", "-r", _RUN, "--inline")
    return {
        (model, dataset): read_json(run / "results" / model / f"{dataset}.json")
        for model, datasets in predictions.items()
        for dataset in datasets
    }


def _compass(folder: Path, *arguments: str) -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "COMPASS_DATA_CACHE": str(shared_data().parent)}
    command = [sys.executable, "-P", "-m", "flows.eval", *arguments]
    done = subprocess.run(command, cwd=folder, env=environ, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
