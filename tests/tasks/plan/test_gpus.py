"""Models that need GPUs on machines without enough of them."""

from pathlib import Path

import pytest
from support.specs import model_spec

from tasks.plan.gpus import check_gpus
from tasks.spec.findings import FindingKind


def _findings(monkeypatch: pytest.MonkeyPatch, visible: str, path: str, *, runs_on_cpu: bool = True):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    return check_gpus(model_spec("m", arguments={"path": path}, num_gpus=1), runs_on_cpu=runs_on_cpu)


def test_a_model_whose_gpus_are_there_is_fine(monkeypatch: pytest.MonkeyPatch):
    assert _findings(monkeypatch, "0", "facebook/opt-125m") == []


@pytest.mark.parametrize("path", ["facebook/opt-125m", "Qwen/Qwen2.5-0.5B-Instruct", "google/gemma-2b"])
def test_a_small_model_runs_on_the_cpu(monkeypatch: pytest.MonkeyPatch, path: str):
    (finding,) = _findings(monkeypatch, "", path)
    assert finding.kind is FindingKind.WARNING and "on the CPU" in finding.message


@pytest.mark.parametrize("path", ["meta-llama/Llama-3.1-8B", "some/model", "mistralai/Mixtral-8x7B", "org/v2b3-large"])
def test_a_large_or_unknown_model_is_refused(monkeypatch: pytest.MonkeyPatch, path: str):
    (finding,) = _findings(monkeypatch, "", path)
    assert finding.kind is FindingKind.MACHINE and "num_gpus=0" in finding.remedy


def test_the_weights_of_a_folder_say_more_than_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = tmp_path / "llama-70b"
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(b"x")
    (finding,) = _findings(monkeypatch, "", str(folder))
    assert finding.kind is FindingKind.WARNING


def test_an_engine_that_needs_gpus_is_not_told_to_use_the_cpu(monkeypatch: pytest.MonkeyPatch):
    (finding,) = _findings(monkeypatch, "", "facebook/opt-125m", runs_on_cpu=False)
    assert finding.kind is FindingKind.MACHINE and "CPU" not in finding.remedy
