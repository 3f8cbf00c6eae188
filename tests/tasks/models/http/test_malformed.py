"""Whatever a service sends, it costs an attempt at most: never another request, and never the shard."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.asking import ask, chat_model, responses_model
from support.scripted_server import ScriptedServer, Turn, failed, raw

from tasks.infer.ledger.ledger import dump_json
from tasks.infer.ledger.records import RequestRecord
from tasks.infer.progress import Counters
from tasks.models.http.failures import AttemptFailed, judge_reply, retry_after
from tasks.models.http.reply_checks import reading, sound
from tasks.models.interface import Completion, Request, Usage
from tasks.models.services.openai_service import OpenAIService
from tasks.spec.status import Status
from tasks.spec.storage.json_text import parse_json

CHAT = {
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "4"}],
                "refusal": None,
                "reasoning": "2 + 2",
            },
        }
    ],
    "usage": {
        "prompt_tokens": 3,
        "completion_tokens": 2,
        "prompt_tokens_details": {"cached_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 1},
    },
}
RESPONSE = {
    "status": "incomplete",
    "error": None,
    "incomplete_details": {"reason": "max_output_tokens"},
    "output": [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "2 + 2"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "4"}, {"type": "refusal", "refusal": ""}]},
    ],
    "usage": {
        "input_tokens": 3,
        "output_tokens": 2,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 1},
    },
}
MODELS: list[tuple[OpenAIService, Any]] = [
    (chat_model("http://localhost"), CHAT),
    (responses_model("http://localhost"), RESPONSE),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of the value with every key in it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


@settings(max_examples=400, deadline=None)
@given(st.data(), JSON, st.sampled_from(MODELS), st.integers(0, 2))
def test_a_reply_with_anything_anywhere_is_an_answer_or_a_failed_attempt(
    data: st.DataObject, wrong: Any, model: tuple[OpenAIService, Any], changes: int
) -> None:
    service, reply = model[0], copy.deepcopy(model[1])
    for _ in range(changes):
        container, key = data.draw(st.sampled_from(list(_places(reply))))
        container[key] = wrong
    try:
        with reading():
            completion = sound(service.read(reply if changes else wrong, Request(0, "hi", stop=("x",))))
    except AttemptFailed:
        return
    Counters().answered(completion)
    record = RequestRecord("0" * 64, "generate", "", "hi", completion)
    assert RequestRecord.from_json(parse_json(dump_json(record.to_json()))) == record


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([400, 401, 403, 404, 429, 500, 503]), JSON, JSON)
def test_an_error_in_any_form_is_a_failed_attempt_with_a_reason(status: int, body: Any, field: Any) -> None:
    for error in (
        body,
        {"error": body},
        {"error": {"message": field, "code": body, "type": field, "innererror": body}},
    ):
        verdict = judge_reply(status, {}, json.dumps(error).encode(), {})
        reason = verdict.reason if isinstance(verdict, AttemptFailed) else str(verdict.error)
        assert reason.startswith(("HTTP", "rate limited: HTTP")) and "\n" not in reason


@given(st.text(max_size=20) | st.floats().map(str))
def test_any_retry_after_is_a_number_of_seconds_or_none(value: str) -> None:
    seconds = retry_after({"Retry-After": value})
    assert seconds is None or seconds >= 0


@pytest.mark.parametrize(
    "turn",
    [
        raw("[" * 100_000),
        raw(json.dumps({"choices": [{"message": {"content": 5}, "finish_reason": "stop"}]})),
        raw(json.dumps({"choices": [{"message": {"content": "", "refusal": {"why": 1}}, "finish_reason": "stop"}]})),
        raw(json.dumps({"choices": [{"message": {"content": "4"}, "finish_reason": {"a": 1}}]})),
        failed(400, message="lone \ud800 surrogate, NUL \x00, separator \u2028"),
    ],
)
def test_one_strange_reply_leaves_the_other_requests_alone(turn: Turn) -> None:
    with ScriptedServer(decide=lambda call: turn if call.last_user == "strange" else None) as server:
        strange, *others = ask(chat_model(server.url, retry=1), "strange", *[f"q{n}" for n in range(5)])
    assert isinstance(strange, Completion)
    assert [other.status for other in others] == [Status.OK] * 5


@pytest.mark.parametrize("usage", [[1, 2], {"prompt_tokens": "12", "completion_tokens": 1.5}, 3, "many"])
def test_counts_in_an_unknown_form_do_not_cost_the_answer(usage: Any) -> None:
    with ScriptedServer(turns=[raw(json.dumps(CHAT | {"usage": usage}))]) as server:
        (answer,) = ask(chat_model(server.url), "hi")
    assert (answer.status, answer.texts, answer.usage, server.requests) == (Status.OK, ("4",), Usage(), 1)


def test_an_error_can_be_written_anywhere() -> None:
    with ScriptedServer(turns=[failed(400, message="lone \ud800 surrogate, NUL \x00")]) as server:
        (answer,) = ask(chat_model(server.url), "hi")
    assert answer.error is not None
    assert answer.error.encode("utf-8") == b"HTTP 400: lone \\ud800 surrogate, NUL \\x00"
