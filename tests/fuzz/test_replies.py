"""Whatever a service answers, a request becomes a record that can be written down and read again, and never raises."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, JSON, changed, damaged, tries
from support.asking import ask_one, chat_model, responses_model, score, streaming_model
from support.claude_server import ClaudeServer
from support.gemini_server import GeminiServer
from support.lmdeploy_server import LMDeployServer
from support.scripted_server import Call, ScriptedServer, Turn

from tasks.infer.ledger.ledger import dump_json
from tasks.infer.ledger.records import RequestRecord
from tasks.models.http.failures import judge_reply
from tasks.models.interface import Completion, Request
from tasks.models.services.openai_completion import OpenAISDKCompletion
from tasks.models.services.turbomind_api import TurboMindAPIModel
from tasks.models.vendors.claude import ClaudeSDK
from tasks.models.vendors.gemini import GeminiSDK
from tasks.models.vendors.gemini_reply import verdict_of
from tasks.spec.status import Status
from tasks.spec.storage.json_text import parse_json

QUESTION = Request(0, "2 + 2?", max_out_len=9, stop=("END",))
BODY = {"model": "m", "messages": [{"role": "user", "content": "2 + 2?"}], "prompt": "2 + 2?", "n": 2}
TURN = Turn(message={"reasoning": "so", "reasoning_content": "so"})
OPTIONS: dict[str, Any] = {"retry": 0, "timeout": 20, "max_workers": 1}


class Service(NamedTuple):
    server: type[ScriptedServer]
    path: str
    ask: Callable[[str], Any]
    """The model at an address without a path."""
    streams: bool = False


def _at_v1(model: Callable[..., Any], **options: Any) -> Callable[[str], Any]:
    return lambda root: model(f"{root}/v1", **OPTIONS, **options)


def _completions(url: str, **options: Any) -> Any:
    return OpenAISDKCompletion(path="m", key="EMPTY", openai_api_base=url, max_seq_len=None, **options)


def _claude(root: str, **options: Any) -> Any:
    return ClaudeSDK(path="m", key="k", base_url=root, **OPTIONS, **options)


def _gemini(root: str, **options: Any) -> Any:
    return GeminiSDK(path="m", key="k", base_url=root, **OPTIONS, **options)


def _turbomind(root: str) -> Any:
    return TurboMindAPIModel(model_name="m", api_addr=root, **OPTIONS)


OURS = ("chat", "chat stream", "responses", "completions", "turbomind")
SERVICES = {
    "chat": Service(ScriptedServer, "/v1/chat/completions", _at_v1(chat_model)),
    "chat stream": Service(ScriptedServer, "/v1/chat/completions", _at_v1(streaming_model), True),
    "responses": Service(ScriptedServer, "/v1/responses", _at_v1(responses_model)),
    "completions": Service(ScriptedServer, "/v1/completions", _at_v1(_completions)),
    "turbomind": Service(LMDeployServer, "/v1/completions", _turbomind),
    "claude": Service(ClaudeServer, "/v1/messages", _claude),
    "claude stream": Service(ClaudeServer, "/v1/messages", partial(_claude, stream=True), True),
    "gemini": Service(GeminiServer, "/v1beta/models/{model}:generateContent", _gemini),
    "gemini stream": Service(
        GeminiServer, "/v1beta/models/{model}:streamGenerateContent", partial(_gemini, stream=True), True
    ),
}  # fmt: skip


class Answering:
    """A server that gives every call the same reply."""

    def __init__(self, service: Service) -> None:
        self.reply = Turn()
        self.server = service.server(decide=lambda _: self.reply)
        body = {**BODY, "stream": service.streams, "stream_options": {"include_usage": True}}
        call = Call(0, service.path, body, None, {}, 0.0)
        self.whole = self.server.replies()[service.path](call, TURN, "It is 4.")
        self.events = [(name, _value(data)) for name, data in self.server.events(call, TURN, self.whole) or ()]
        self.model = service.ask


def _value(data: str) -> Any:
    return data if data == "[DONE]" else json.loads(data)


def _sent(events: list[Any]) -> str:
    lines: list[str] = []
    for name, data in events:
        lines += [f"event: {name}"] * bool(name) + [f"data: {data if data == '[DONE]' else json.dumps(data)}", ""]
    return "\n".join([*lines, ""])


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, Answering]]:
    with ExitStack() as stack:
        answering = {name: Answering(service) for name, service in SERVICES.items()}
        for each in answering.values():
            stack.enter_context(each.server)
        yield answering


def assert_kept(record: RequestRecord) -> None:
    """It is written down and read again as it was."""
    assert RequestRecord.from_json(parse_json(dump_json(record.to_json()))) == record


def completion_of(answering: Answering, reply: Turn) -> Completion:
    """What becomes of the request."""
    answering.reply = reply
    completion = ask_one(answering.model(answering.server.root), QUESTION)
    assert_kept(RequestRecord("0" * 64, "generate", "", "2 + 2?", replace(completion, latency=0.0, fatal=False)))
    assert completion.status is not Status.ERROR or completion.error
    return completion


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


OF_SDKS = [
    pytest.param(name, marks=pytest.mark.skipif(not _is_installed(package), reason=f"needs {package}"))
    for vendor, package in (("claude", "anthropic"), ("gemini", "google.genai"))
    for name in (vendor, f"{vendor} stream")
]


@pytest.mark.parametrize("name", [*OURS, *OF_SDKS])
def test_the_reply_as_it_should_be_is_an_answer(servers: dict[str, Answering], name: str) -> None:
    each = servers[name]
    body = _sent(each.events) if each.events else json.dumps(each.whole)
    assert completion_of(each, Turn(raw=body)).texts[0] == "It is 4."


@st.composite
def replies(draw: st.DrawFn, each: Answering) -> Turn:
    """The reply with something wrong in it."""
    if each.events:
        body = _sent([(kind, draw(st.one_of(st.just(value), changed(value)))) for kind, value in each.events])
    else:
        body = json.dumps(draw(changed(each.whole)))
    if draw(st.integers(0, 3)) == 0:
        body = draw(HOSTILE | damaged(body.encode())).decode("utf-8", "replace")
    return Turn(raw=body, status=draw(st.sampled_from([200, 200, 200, 200, 400, 429, 500, 204, 302])))


@pytest.mark.parametrize("name", OURS)
@tries(50)
@given(data=st.data())
def test_a_reply_with_anything_anywhere(servers: dict[str, Answering], name: str, data: st.DataObject) -> None:
    completion_of(servers[name], data.draw(replies(servers[name])))


@pytest.mark.parametrize("name", OF_SDKS)
@tries(10)
@given(data=st.data())
def test_a_reply_read_by_an_sdk(servers: dict[str, Answering], name: str, data: st.DataObject) -> None:
    completion_of(servers[name], data.draw(replies(servers[name])))


@tries(60)
@given(data=st.data())
def test_log_probabilities_of_any_form(servers: dict[str, Answering], data: st.DataObject) -> None:
    each = servers["completions"]
    logprobs = {
        "tokens": ["2", " + ", "2?", " 4"],
        "token_logprobs": [None, -1.0, -2.0, -0.5],
        "text_offset": [0, 1, 4, 6],
    }
    reply = {**each.whole, "choices": [{**each.whole["choices"][0], "logprobs": logprobs}]}
    each.reply = Turn(raw=json.dumps(data.draw(changed(reply, most=3))))
    (likelihood,) = score(each.model(each.server.root), ("2 + 2?", " 4"))
    assert_kept(
        RequestRecord("0" * 64, "loglikelihood", "A", "2 + 2? 4", replace(likelihood, latency=0.0, fatal=False))
    )


@tries(150)
@given(
    status=st.sampled_from([400, 401, 403, 404, 408, 413, 422, 429, 500, 503, 529]),
    error=JSON
    | changed(
        {
            "error": {
                "code": 429,
                "message": "m",
                "status": "X",
                "details": [{"retryDelay": "3s", "violations": [{"quotaId": "PerDay"}]}],
            }
        }
    ),
    body=HOSTILE | JSON.map(lambda value: json.dumps(value).encode()),
    wait=st.sampled_from(["nan", "inf", "-1", "1e400", "x", "", "Wed, 99 Oct 2026", "\x00", "9" * 400]),
)
def test_any_error_has_a_reason_in_one_line(status: int, error: Any, body: bytes, wait: str) -> None:
    nested = json.loads('{"innererror":' * 300 + "{}" + "}" * 300)
    for verdict in (
        judge_reply(status, {"Retry-After": wait}, body, {}),
        judge_reply(status, {"Retry-After-Ms": wait}, json.dumps({"error": nested}).encode(), {}),
        verdict_of(status, error, {}),
    ):
        reason = verdict.error if isinstance(verdict, Completion) else verdict.reason
        assert reason and "\n" not in reason
        wanted = None if isinstance(verdict, Completion) else verdict.retry_after
        assert wanted is None or wanted >= 0
