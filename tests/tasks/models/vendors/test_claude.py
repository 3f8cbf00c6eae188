"""What `ClaudeSDK` sends through Anthropic's SDK, and what it makes of the replies."""

from typing import Any

import pytest
from support.asking import ask, ask_one
from support.claude_server import ClaudeServer, claude_failed
from support.scripted_server import HANG, RESET, Call, Turn, answered

from tasks.models.interface import Completion, Request, Usage
from tasks.models.vendors.claude import ClaudeSDK
from tasks.spec.findings import UserError
from tasks.spec.status import Status

pytest.importorskip("anthropic", reason="needs anthropic (the extra `vendors`)")


def _model(url: str, **arguments: Any) -> ClaudeSDK:
    return ClaudeSDK(**{"path": "claude", "key": "sk-test", "base_url": url, **arguments})


def _body(request: Request | str = "hi", **arguments: Any) -> dict[str, Any]:
    with ClaudeServer() as server:
        ask_one(_model(server.root, **arguments), request)
    return server.calls[0].body


def _answer(*turns: Turn, request: Request | str = "hi", **arguments: Any) -> Completion:
    with ClaudeServer(turns=turns) as server:
        completion = ask_one(_model(server.root, **arguments), request)
    assert server.requests == completion.attempts == len(turns)
    return completion


def test_a_plain_request_has_nothing_that_the_configuration_does_not_set() -> None:
    assert _body(Request(0, "hi", max_out_len=50)) == {
        "model": "claude", "max_tokens": 50, "messages": [{"role": "user", "content": "hi"}],
    }  # fmt: skip


def test_system_messages_limits_and_further_fields() -> None:
    prompt = [
        {"role": "SYSTEM", "prompt": "s"}, {"role": "HUMAN", "prompt": "q"}, {"role": "BOT", "prompt": "a"},
        {"role": "HUMAN", "prompt": "r"},
    ]  # fmt: skip
    body = _body(
        Request(0, prompt, max_out_len=131072, stop=("\n\n", "END")), temperature=1.0, thinking={"type": "adaptive"},
        claude_extra_kwargs={"output_config": {"effort": "max"}, "not_known_to_the_sdk": 1},
    )  # fmt: skip
    assert [message["role"] for message in body.pop("messages")] == ["user", "assistant", "user"]
    assert body == {
        "model": "claude", "max_tokens": 131072, "system": "s", "stop_sequences": ["END"], "temperature": 1.0,
        "thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}, "not_known_to_the_sdk": 1,
    }  # fmt: skip


def test_images_are_spelt_for_this_interface() -> None:
    images = [{"type": "image_url", "image_url": {"url": url}} for url in ("data:image/png;base64,AA==", "http://x/y")]
    parts = [{"type": "text", "text": "What?"}, *images]
    content = _body(Request(0, [{"role": "user", "content": parts}]))["messages"][0]["content"]
    assert content[0] == {"type": "text", "text": "What?"}
    assert content[1]["source"] == {"type": "base64", "media_type": "image/png", "data": "AA=="}
    assert content[2]["source"] == {"type": "url", "url": "http://x/y"}


def test_headers() -> None:
    with ClaudeServer(api_key="sk-test") as server:
        assert ask_one(_model(server.root, extra_headers={"X-Mine": "1"}), "hi").status is Status.OK
    assert server.calls[0].headers["X-Mine"] == "1"
    assert "anthropic-version" in server.calls[0].headers


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("turn", "status", "text"),
    [
        (answered("four words are here"), Status.OK, "four words are here"),
        (answered("4\n\nmore", reasoning="two and two"), Status.OK, "4"),
        (answered("fou", "length"), Status.TRUNCATED, "fou"),
        (answered(None, "length", content=None, reasoning="hm"), Status.TRUNCATED, ""),
        (answered("x", "model_context_window_exceeded"), Status.TRUNCATED, "x"),
        (answered(None, "refusal", content=None), Status.REFUSED, ""),
        (answered(None, content=None), Status.EMPTY, ""),
        (answered("<think>on and on"), Status.TRUNCATED, ""),
    ],
)
def test_outcomes(turn: Turn, status: Status, text: str, stream: bool) -> None:
    completion = _answer(turn, request=Request(0, "hi", stop=("\n\n",)), stream=stream)
    assert (completion.status, completion.texts) == (status, (text,))
    in_the_text = "on and on" if "<think>" in str(turn.text) else None
    assert completion.reasoning == turn.message.get("reasoning", in_the_text)
    assert completion.usage == Usage(17, 7, None, 5)


def test_several_sequences_are_several_calls() -> None:
    completion = _answer(answered("a"), answered("b"), request=Request(0, "hi", sequences=2))
    assert completion.texts == ("a", "b")


@pytest.mark.parametrize(
    "turn",
    [claude_failed(529, "overloaded_error"), claude_failed(500, "api_error"), RESET, HANG,
     claude_failed(429, "rate_limit_error", **{"Retry-After": "0"})],
)  # fmt: skip
def test_failures_are_tried_again(turn: Turn) -> None:
    assert _answer(turn, answered("4"), timeout=0.5).texts == ("4",)


def test_rejected_requests_are_not() -> None:
    completion = _answer(claude_failed(400, "invalid_request_error", "max_tokens: too large"))
    assert (completion.status, completion.error) == (Status.ERROR, "HTTP 400: max_tokens: too large")


def test_mapped_codes_are_filtered() -> None:
    completion = _answer(claude_failed(400, "invalid_request_error"), status_code_mappings={400: "No."})
    assert (completion.status, completion.texts) == (Status.FILTERED, ("No.",))


@pytest.mark.parametrize(
    "refusal",
    [claude_failed(401, "authentication_error"), claude_failed(403, "permission_error"),
     claude_failed(400, "invalid_request_error", "Your credit balance is too low to access the Anthropic API.")],
)  # fmt: skip
def test_exhausted_keys_are_skipped(refusal: Turn) -> None:
    def decide(call: Call) -> Turn | None:
        return refusal if call.key == "sk-gone" else None

    with ClaudeServer(decide=decide) as server:
        answers = ask(_model(server.root, key=["sk-gone", "sk-good"]), *"abcd", in_flight=1)
        (last,) = ask(_model(server.root, key=["sk-gone"]), "a")
    assert [answer.status for answer in answers] == [Status.OK] * 4
    assert [call.key for call in server.calls].count("sk-gone") == 2
    assert (last.status, last.fatal) == (Status.ERROR, True)


def test_the_key_may_name_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-env")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    for key in ("ENV", "ANTHROPIC_API_KEY"):
        with ClaudeServer(api_key="sk-env") as server:
            assert ask_one(_model(server.root, key=key), "hi").status is Status.OK
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(UserError, match="ANTHROPIC_API_KEY is not set"):
        _model("http://127.0.0.1:1", key="ANTHROPIC_API_KEY")


def test_address_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with ClaudeServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        assert ask_one(ClaudeSDK(path="claude", key="sk"), "hi").status is Status.OK


def test_cap_of_requests_in_flight() -> None:
    with ClaudeServer(latency=0.05) as server:
        ask(_model(server.root), *"abcdefgh", in_flight=3)
    assert server.peak == 3


def test_a_missing_package_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.models.vendors.sdk_service.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'compass-llm-eval\[vendors\]'"):
        _model("http://127.0.0.1:1")
