"""What `GeminiSDK` sends through Google's SDK, and what it makes of the replies."""

from typing import Any

import pytest
from support.asking import ask, ask_one
from support.gemini_server import GeminiServer, camel_case, gemini_failed
from support.scripted_server import HANG, RESET, Call, Turn, answered

from tasks.models.interface import Completion, Request, Usage
from tasks.models.vendors.gemini import GeminiSDK
from tasks.spec.findings import UserError
from tasks.spec.status import Status

pytest.importorskip("google.genai", reason="needs google-genai (the extra `vendors`)")

PER_DAY = {"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}]}
PER_MINUTE = {"violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}]}
INVALID_KEY = {"reason": "API_KEY_INVALID", "domain": "googleapis.com"}


def _model(url: str, **arguments: Any) -> GeminiSDK:
    return GeminiSDK(**{"path": "gemini", "key": "sk-test", "base_url": url, **arguments})


def _call(request: Request | str = "hi", **arguments: Any) -> Call:
    with GeminiServer() as server:
        assert ask_one(_model(server.root, **arguments), request).status is Status.OK
    return server.calls[0]


def _answer(*turns: Turn, request: Request | str = "hi", **arguments: Any) -> Completion:
    with GeminiServer(turns=turns) as server:
        completion = ask_one(_model(server.root, **arguments), request)
    assert server.requests == completion.attempts == len(turns)
    return completion


def test_a_plain_request() -> None:
    call = _call(Request(0, "hi", max_out_len=50))
    assert call.path.endswith("/models/gemini:generateContent")
    assert call.key == "sk-test"
    assert call.body["contents"] == [{"role": "user", "parts": [{"text": "hi"}]}]
    assert call.body["generationConfig"] == {"candidateCount": 1, "maxOutputTokens": 50}


def test_roles_sampling_thinking_and_further_options() -> None:
    prompt = [{"role": "SYSTEM", "prompt": "s"}, {"role": "HUMAN", "prompt": "q"}, {"role": "BOT", "prompt": "a"}]
    call = _call(
        Request(0, prompt, stop=("END",)), temperature=1.0, top_p=0.9, top_k=40,
        thinking={"thinking_level": "high", "include_thoughts": True}, gemini_extra_kwargs={"seed": 3},
    )  # fmt: skip
    body = camel_case(call.body)
    assert body["systemInstruction"]["parts"] == [{"text": "s"}]
    assert [content["role"] for content in body["contents"]] == ["user", "model"]
    config = body["generationConfig"]
    assert (config["temperature"], config["topP"], config["topK"], config["seed"]) == (1.0, 0.9, 40, 3)
    assert config["stopSequences"] == ["END"]
    assert {name: str(value).lower() for name, value in config["thinkingConfig"].items()} == {
        "thinkingLevel": "high", "includeThoughts": "true",
    }  # fmt: skip


def test_options_that_the_sdk_does_not_know() -> None:
    with pytest.raises(UserError, match="thinking_levle"):
        _model("http://127.0.0.1:1", thinking={"thinking_levle": "high"})
    with pytest.raises(UserError, match="seeed"):
        _model("http://127.0.0.1:1", gemini_extra_kwargs={"seeed": 3})


def test_images() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    call = _call(Request(0, [{"role": "user", "content": [{"type": "text", "text": "What?"}, image]}]))
    sent = camel_case(call.body)["contents"][0]["parts"]
    assert sent == [{"text": "What?"}, {"inlineData": {"mimeType": "image/png", "data": "AAAA"}}]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("turn", "status", "text"),
    [
        (answered("four words are here"), Status.OK, "four words are here"),
        (answered("4\n\nmore", reasoning="two and two"), Status.OK, "4"),
        (answered("fou", "length"), Status.TRUNCATED, "fou"),
        (answered(None, "length", content=None, reasoning="hm"), Status.TRUNCATED, ""),
        (answered(None, "SAFETY", content=None), Status.FILTERED, ""),
        (answered(None, content=None, blocked="PROHIBITED_CONTENT"), Status.FILTERED, ""),
        (answered(None, content=None), Status.EMPTY, ""),
        (answered("<think>on and on"), Status.TRUNCATED, ""),
    ],
)
def test_outcomes(turn: Turn, status: Status, text: str, stream: bool) -> None:
    completion = _answer(turn, request=Request(0, "hi", stop=("\n\n",)), stream=stream)
    assert (completion.status, completion.texts) == (status, (text,))
    in_the_text = "on and on" if "<think>" in str(turn.text) else None
    assert completion.reasoning == turn.message.get("reasoning", in_the_text)
    if "blocked" not in turn.message:
        assert completion.usage == Usage(10, 11, 4, 3)


@pytest.mark.parametrize(
    "turn",
    [gemini_failed(503, "UNAVAILABLE"), gemini_failed(500, "INTERNAL"), RESET, HANG,
     answered(None, "OTHER", content=None),
     gemini_failed(429, "RESOURCE_EXHAUSTED", "slow down", PER_MINUTE, {"retryDelay": "0.01s"})],
)  # fmt: skip
def test_failures_are_tried_again_and_by_us_alone(turn: Turn) -> None:
    assert _answer(turn, answered("4"), timeout=0.5).texts == ("4",)


def test_rejected_requests_are_not() -> None:
    completion = _answer(gemini_failed(400, "INVALID_ARGUMENT", "no such field"))
    assert (completion.status, completion.error) == (Status.ERROR, "HTTP 400: no such field")


@pytest.mark.parametrize(
    "refusal",
    [gemini_failed(429, "RESOURCE_EXHAUSTED", "quota", PER_DAY), gemini_failed(403, "PERMISSION_DENIED"),
     gemini_failed(400, "INVALID_ARGUMENT", "API key not valid", INVALID_KEY)],
)  # fmt: skip
def test_exhausted_keys_are_skipped(refusal: Turn) -> None:
    def decide(call: Call) -> Turn | None:
        return refusal if call.key == "sk-gone" else None

    with GeminiServer(decide=decide) as server:
        answers = ask(_model(server.root, key=["sk-gone", "sk-good"]), *"abcd", in_flight=1)
    assert [answer.status for answer in answers] == [Status.OK] * 4
    assert [call.key for call in server.calls].count("sk-gone") == 1


@pytest.mark.parametrize(
    ("key", "variable"), [("ENV", "GEMINI_API_KEY"), ("ENV", "GOOGLE_API_KEY"), ("GEMINI_API_KEY", "GEMINI_API_KEY")]
)
def test_the_key_may_name_its_variable(key: str, variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UserError, match="is not set"):
        _model("http://127.0.0.1:1", key=key)
    monkeypatch.setenv(variable, "sk-env")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with GeminiServer(api_key="sk-env") as server:
        assert ask_one(_model(server.root, key=key), "hi").status is Status.OK


def test_several_sequences_are_several_calls() -> None:
    completion = _answer(answered("a"), answered("b"), request=Request(0, "hi", sequences=2))
    assert completion.texts == ("a", "b")
    assert completion.usage.completion_tokens == 22


def test_address_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with GeminiServer() as server:
        monkeypatch.setenv("GEMINI_BASE_URL", server.root)
        assert ask_one(GeminiSDK(key="sk"), "hi").status is Status.OK
    assert "gemini-2.5-flash" in server.calls[0].path
