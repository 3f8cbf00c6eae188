"""Every API model configuration of the documentation sends the request that it describes.

Only the address is another, and the rate of one request per second is left out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support import documented_models as documented
from support.asking import ask_one
from support.claude_server import ClaudeServer
from support.gemini_server import GeminiServer, camel_case
from support.lmdeploy_server import LMDeployServer
from support.scripted_server import Call, ScriptedServer

from tasks.models.factory import build_backend
from tasks.models.http.api_service import ApiService
from tasks.models.interface import Request
from tasks.spec.build import build_models
from tasks.spec.config.file import load_config
from tasks.spec.specs import ModelSpec
from tasks.spec.status import Status

MESSAGES = [{"role": "user", "content": "What is 2 + 3?"}]
ROOM = 131072 - 4 - 100
"""Of a context as large as the output limit: less the four words of the prompt, and what a chat template may add."""
USER = [{"role": "HUMAN", "prompt": "What is 2 + 3?"}]


@dataclass
class Case:
    """A configuration, the kind of server it is for, and what must reach that server."""

    text: str
    key: str
    path: str
    body: dict[str, Any]
    server: Callable[..., ScriptedServer] = ScriptedServer
    address: str = "openai_api_base"
    prompt: Any = field(default_factory=lambda: list(USER))


CASES = {
    "OpenAISDK": Case(
        documented.OPENAI_SDK, "sk-openai", "/v1/chat/completions",
        {"model": "served-model-name", "messages": MESSAGES, "max_tokens": ROOM, "top_p": 0.95,
         "chat_template_kwargs": {"enable_thinking": True}},
    ),
    "OpenAISDKStreaming": Case(
        documented.STREAMING, "sk-openai", "/v1/chat/completions",
        {"model": "served-model-name", "messages": MESSAGES, "max_tokens": ROOM, "stream": True,
         "stream_options": {"include_usage": True}},
    ),
    "OpenAISDKResponse": Case(
        documented.RESPONSES, "sk-openai", "/v1/responses",
        {"model": "gpt-6-astra", "input": MESSAGES, "max_output_tokens": ROOM, "reasoning": {"effort": "max"}},
    ),
    "GeminiSDK": Case(
        documented.GEMINI, "sk-gemini", "/models/gemini-3.1-pro-preview:generateContent",
        {"contents": [{"role": "user", "parts": [{"text": "What is 2 + 3?"}]}],
         "generationConfig": {"candidateCount": 1, "maxOutputTokens": 65536, "temperature": 1.0,
                              "thinkingConfig": {"thinkingLevel": "high", "includeThoughts": True}}},
        GeminiServer, "base_url",
    ),
    "ClaudeSDK": Case(
        documented.CLAUDE, "sk-claude", "/v1/messages",
        {"model": "claude-opus-5", "messages": MESSAGES, "max_tokens": 131072, "temperature": 1.0,
         "thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}},
        ClaudeServer, "base_url",
    ),
    "TurboMindAPIModel": Case(
        documented.TURBOMIND, "sk-admin", "/v1/completions",
        {"model": "Qwen3.5-35B-A3B", "prompt": "What is 2 + 3?", "max_tokens": 131072},
        LMDeployServer, "api_addr", "What is 2 + 3?",
    ),
}  # fmt: skip


def _spec(text: str, folder: Path, **changed: Any) -> ModelSpec:
    file = folder / "config.py"
    file.write_text(text)
    (model,), findings = build_models(load_config(file).values)
    assert findings == []
    arguments = {**model.arguments, **changed}
    arguments.pop("query_per_second", None)
    return model.model_copy(update={"arguments": arguments})


def _asked(case: Case, spec: ModelSpec, server: ScriptedServer) -> Call:
    """The one call that a request leads to, which the server answers with the model's words."""
    request = Request(0, case.prompt, max_out_len=spec.max_out_len)
    completion = ask_one(build_backend(spec), request)
    assert (completion.status, completion.texts) == (Status.OK, ("You said: What is 2 + 3?",))
    (call,) = server.calls
    return call


@pytest.mark.parametrize("name", CASES)
def test_sends_the_right_request(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ("GeminiSDK", "ClaudeSDK"):
        pytest.importorskip("google.genai" if name == "GeminiSDK" else "anthropic", reason="needs the extra `vendors`")
    case = CASES[name]
    for variable, key in documented.KEYS.items():
        monkeypatch.setenv(variable, key)
    with case.server() as server:
        address = server.url if case.address == "openai_api_base" else server.root
        call = _asked(case, _spec(case.text, tmp_path, **{case.address: address}), server)
    assert call.path.endswith(case.path)
    assert call.key == case.key
    body = camel_case(call.body) if name == "GeminiSDK" else call.body
    if name == "GeminiSDK":
        body["generationConfig"]["thinkingConfig"]["thinkingLevel"] = body["generationConfig"]["thinkingConfig"][
            "thinkingLevel"
        ].lower()
    assert body == case.body


@pytest.mark.parametrize("name", CASES)
def test_attempts_and_reasoning_options_are_those_of_every_api_class(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name in ("GeminiSDK", "ClaudeSDK"):
        pytest.importorskip("google.genai" if name == "GeminiSDK" else "anthropic", reason="needs the extra `vendors`")
    for variable, key in documented.KEYS.items():
        monkeypatch.setenv(variable, key)
    backend = build_backend(_spec(CASES[name].text, tmp_path, think_tag="</reason>"))
    assert isinstance(backend, ApiService)
    assert (backend.retry, backend.max_workers, backend.think_tag) == (10, 8, "</reason>")
