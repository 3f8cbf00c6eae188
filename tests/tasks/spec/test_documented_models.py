"""The model configurations of the documentation, as they stand there."""

from collections.abc import Callable

import pytest
from support import documented_models as documented

from tasks.spec.build import build_models
from tasks.spec.values import ConfigDict

WRITTEN = {
    "OpenAISDK": documented.OPENAI_SDK,
    "OpenAISDKStreaming": documented.STREAMING,
    "OpenAISDKResponse": documented.RESPONSES,
    "GeminiSDK": documented.GEMINI,
    "ClaudeSDK": documented.CLAUDE,
    "TurboMindAPIModel": documented.TURBOMIND,
}


@pytest.mark.parametrize("name", WRITTEN)
def test_is_read_without_a_finding(read: Callable[..., ConfigDict], monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for variable, key in documented.KEYS.items():
        monkeypatch.setenv(variable, key)
    (model,), findings = build_models(read(WRITTEN[name]))
    assert findings == []
    assert model.is_api
    assert model.type.endswith(f".{name}")
    assert (model.batch_size, model.arguments["retry"], model.arguments["max_workers"]) == (8, 10, 8)


@pytest.mark.parametrize(
    ("name", "variable"),
    [("GeminiSDK", "GEMINI_API_KEY"), ("ClaudeSDK", "ANTHROPIC_API_KEY"), ("OpenAISDK", "OPENAI_API_KEY")],
)
def test_a_key_that_is_not_set_is_named(
    read: Callable[..., ConfigDict], monkeypatch: pytest.MonkeyPatch, name: str, variable: str
) -> None:
    monkeypatch.delenv(variable, raising=False)
    _, findings = build_models(read(WRITTEN[name]))
    assert [finding.message for finding in findings] == [f"the environment variable {variable} is not set"]


def test_either_of_googles_variables_will_do(read: Callable[..., ConfigDict], monkeypatch: pytest.MonkeyPatch) -> None:
    text = documented.GEMINI.replace("'GEMINI_API_KEY'", "'ENV'")
    for variable in ("GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    _, findings = build_models(read(text))
    assert [finding.remedy for finding in findings] == ["export GEMINI_API_KEY=…"]
    monkeypatch.setenv("GOOGLE_API_KEY", "x")
    assert build_models(read(text))[1] == []
