"""`compass export --to mlflow` and `--to wandb`: real MLflow in a database of SQLite, real W&B without its service."""

import sys
from pathlib import Path

import pytest
from support.workspace import Workspace

from flows.terminal.cli import main

_SECRET = "sk-canary0123456789"


@pytest.fixture
def run(workspace: Workspace) -> Workspace:
    workspace.write({"sums": 10, "more": 3}, key=_SECRET, temperature=0.5)
    assert main([str(workspace.config), "--inline"]) == 0
    return workspace


@pytest.mark.slow
def test_scores_and_settings_are_in_mlflow_once(run: Workspace, monkeypatch: pytest.MonkeyPatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.chdir(run.folder)  # where MLflow puts files
    address = f"sqlite:///{run.folder}/mlflow.db"
    for _ in range(2):
        assert main(["export", str(run.run_folder), "--to", "mlflow", "-o", address, "--project", "sums"]) == 0
    client = mlflow.MlflowClient(tracking_uri=address)
    [tracked] = client.search_runs([client.get_experiment_by_name("sums").experiment_id])
    assert tracked.info.run_name == "adder" and tracked.info.status == "FINISHED"
    assert tracked.data.tags["compass.run"] == run.run_folder.name
    assert tracked.data.metrics["sums/accuracy"] == 100.0
    assert tracked.data.metrics["more/samples"] == 3.0 and tracked.data.metrics["sums/accuracy.stderr"] == 0.0
    assert tracked.data.params["temperature"] == "0.5" and "sums.version" in tracked.data.params
    assert _SECRET not in str(tracked.data.params)
    assert {Path(file.path).suffix for file in client.list_artifacts(tracked.info.run_id)} >= {".txt", ".csv", ".md"}


def test_an_address_that_mlflow_refuses(run: Workspace, capsys: pytest.CaptureFixture[str]):
    pytest.importorskip("mlflow")
    assert main(["export", str(run.run_folder), "--to", "mlflow", "-o", "nonsense://x"]) == 2
    assert "MLflow: " in capsys.readouterr().err


def test_weights_and_biases_offline(run: Workspace, monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    target = run.folder / "tracked"
    assert main(["export", str(run.run_folder), "--to", "wandb", "-o", str(target), "--project", "sums"]) == 0
    [record] = target.glob("wandb/offline-run-*/run-*.wandb")
    content = record.read_bytes()
    for text in (b"sums/accuracy", b"adder", run.run_folder.name.encode(), b"temperature"):
        assert text in content
    assert not [path for path in target.rglob("*") if path.is_file() and _SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("tracker", ["mlflow", "wandb"])
def test_a_tracker_that_is_not_installed(
    run: Workspace, tracker: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setitem(sys.modules, tracker, None)
    assert main(["export", str(run.run_folder), "--to", tracker]) == 2
    assert f"pip install 'compass-llm-eval[{tracker}]'" in capsys.readouterr().err
