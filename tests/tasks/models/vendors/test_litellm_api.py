"""What `LiteLLMAPI` sends through litellm to an OpenAI-compatible service, and what it makes of the replies."""

from typing import Any

import pytest
from support.asking import ask, ask_one
from support.scripted_server import HANG, RESET, Call, ScriptedServer, Turn, answered, failed

from tasks.models.interface import Request
from tasks.models.vendors.litellm_api import LiteLLMAPI
from tasks.spec.status import Status

pytest.importorskip("litellm", reason="needs litellm (the extra of that name)")


def _model(url: str, **arguments: Any) -> LiteLLMAPI:
    return LiteLLMAPI(**{"path": "openai/some-model", "key": "sk-test", "api_base": url, **arguments})


def test_request() -> None:
    with ScriptedServer(api_key="sk-test") as server:
        model = _model(server.url, temperature=0.5, system_prompt="s", extra_body={"top_p": 0.9})
        completion = ask_one(model, Request(0, "two words", max_out_len=9, stop=("END",)))
    body = server.calls[0].body
    assert [message["role"] for message in body.pop("messages")] == ["system", "user"]
    assert body == {"model": "some-model", "max_tokens": 9, "temperature": 0.5, "stop": ["END"], "top_p": 0.9}
    assert (completion.status, completion.usage.prompt_tokens) == (Status.OK, 3)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("turn", "status", "text"),
    [
        (answered("four words are here"), Status.OK, "four words are here"),
        (answered("4", reasoning_content="hm"), Status.OK, "4"),
        (answered("fou", "length"), Status.TRUNCATED, "fou"),
        (answered("<think>hm"), Status.TRUNCATED, ""),
    ],
)
def test_outcomes(turn: Turn, status: Status, text: str, stream: bool) -> None:
    with ScriptedServer(turns=[turn]) as server:
        completion = ask_one(_model(server.url, stream=stream), "hi")
    assert (completion.status, completion.texts, server.requests) == (status, (text,), 1)
    assert completion.reasoning == ("hm" if "hm" in str(turn) else None)


@pytest.mark.parametrize("turn", [failed(500), failed(429), RESET, HANG])
def test_failures_are_tried_again_and_by_us_alone(turn: Turn) -> None:
    with ScriptedServer(turns=[turn]) as server:
        completion = ask_one(_model(server.url, timeout=1.0), "hi")
    assert (completion.status, completion.attempts, server.requests) == (Status.OK, 2, 2)


def test_exhausted_keys_are_skipped() -> None:
    def decide(call: Call) -> Turn | None:
        return failed(401) if call.key == "sk-gone" else None

    with ScriptedServer(decide=decide) as server:
        answers = ask(_model(server.url, key=["sk-gone", "sk-good"]), *"abc", in_flight=1)
    assert [answer.status for answer in answers] == [Status.OK] * 3


def test_a_withheld_answer() -> None:
    """Which errors are one is litellm's judgement: it reads the message."""
    turn = failed(400, message="invalid_request_error: content_policy_violation")
    with ScriptedServer(turns=[turn]) as server:
        assert ask_one(_model(server.url), "hi").status is Status.FILTERED


def test_the_vendors_own_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
    with ScriptedServer(api_key="sk-env") as server:
        assert ask_one(_model(server.url, key="ENV"), "hi").status is Status.OK
