"""What `OpenAISDKResponse` sends, and what it makes of the replies."""

from dataclasses import replace
from typing import Any

import pytest
from support.asking import ask_one, responses_model
from support.scripted_server import RESET, ScriptedServer, Turn, answered, failed, raw

from tasks.models.interface import Completion, Request, Usage
from tasks.spec.status import Status


def _body(request: Request | str = "hi", **arguments: Any) -> dict[str, Any]:
    with ScriptedServer() as server:
        ask_one(responses_model(server.url, **arguments), request)
    assert server.calls[0].path == "/v1/responses"
    return server.calls[0].body


def _answer(*turns: Turn, request: Request | str = "hi", **arguments: Any) -> Completion:
    with ScriptedServer(turns=turns) as server:
        completion = ask_one(responses_model(server.url, **arguments), request)
    assert server.requests == completion.attempts == len(turns)
    return completion


def test_a_plain_request() -> None:
    body = _body(Request(0, "hi", max_out_len=50, stop=("x",)))
    assert body == {"model": "some-model", "input": [{"role": "user", "content": "hi"}], "max_output_tokens": 50}


def test_content_parts_are_spelt_for_this_interface() -> None:
    parts = [
        {"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": "data:x", "detail": "low"}},
        {"type": "input_file", "file_id": "f"},
    ]  # fmt: skip
    prompt = [
        {"role": "user", "content": parts},
        {"role": "assistant", "content": [{"type": "text", "text": "A cat."}]},
    ]
    sent = _body(Request(0, prompt))["input"]
    assert sent[0]["content"] == [
        {"type": "input_text", "text": "What?"}, {"type": "input_image", "image_url": "data:x", "detail": "low"},
        {"type": "input_file", "file_id": "f"},
    ]  # fmt: skip
    assert sent[1]["content"] == [{"type": "output_text", "text": "A cat."}]


def test_extra_fields() -> None:
    body = _body(
        response_kwargs={"store": False, "text": {"verbosity": "low"}},
        openai_extra_kwargs={"store": True, "include": ["x"]},
        extra_body={"new": 1}, temperature=0.5, logprobs=True, top_logprobs=2,
    )  # fmt: skip
    assert (body["store"], body["text"], body["new"], body["temperature"]) == (True, {"verbosity": "low"}, 1, 0.5)
    assert (body["include"], body["top_logprobs"]) == (["x", "message.output_text.logprobs"], 2)


def test_reasoning_effort_and_summary() -> None:
    effort = {"reasoning": {"effort": "max"}}
    assert _body(path="gpt-6-astra", openai_extra_kwargs=effort)["reasoning"] == {"effort": "max"}
    assert _body(path="o3", openai_extra_kwargs=effort)["reasoning"] == {"effort": "max", "summary": "auto"}
    assert "reasoning" not in _body(path="gpt-4.1")


@pytest.mark.parametrize(
    ("turn", "status", "text", "finish"),
    [
        (answered("4"), Status.OK, "4", "completed"),
        (answered("fou", "length"), Status.TRUNCATED, "fou", "max_output_tokens"),
        (answered(None, "length", content=None), Status.TRUNCATED, "", "max_output_tokens"),
        (answered("f", "content_filter"), Status.FILTERED, "f", "content_filter"),
        (answered(None, refusal="No."), Status.REFUSED, "", "completed"),
        (answered(None, content=None), Status.EMPTY, "", "completed"),
    ],
)
def test_outcomes(turn: Turn, status: Status, text: str, finish: str) -> None:
    completion = _answer(turn)
    assert (completion.status, completion.texts, completion.finish_reason) == (status, (text,), finish)


def test_reasoning_summary_is_kept_apart() -> None:
    completion = _answer(answered("4", reasoning="two and two"))
    assert (completion.texts, completion.reasoning) == (("4",), "two and two")


def test_text_is_cut_at_stop_strings() -> None:
    assert _answer(answered("4\n\nQ: more"), request=Request(0, "hi", stop=("\n\n",))).texts == ("4",)


def test_usage() -> None:
    usage = """{"input_tokens": 9, "output_tokens": 30, "input_tokens_details": {"cached_tokens": 5},
        "output_tokens_details": {"reasoning_tokens": 20}}"""
    assert _answer(raw(f'{{"status": "completed", "output": [], "usage": {usage}}}')).usage == Usage(9, 30, 20, 5)


def test_several_sequences_are_several_calls() -> None:
    completion = _answer(
        answered("a"), answered(""), answered("c", "length"), request=Request(0, "one two", sequences=3)
    )
    assert (completion.status, completion.texts) == (Status.TRUNCATED, ("a", "", "c"))
    assert completion.usage.prompt_tokens == 6


def test_a_failed_call_fails_all_sequences() -> None:
    completion = _answer(answered("a"), failed(400, message="no"), request=Request(0, "hi", sequences=3))
    assert (completion.status, completion.error) == (Status.ERROR, "HTTP 400: no")


@pytest.mark.parametrize(
    "reply",
    ['{"status": "failed", "output": [], "error": {"message": "boom"}}', '{"output": {}}', "[1]",
     '{"status": "completed", "output": [{"type": "message"}]}'],
)  # fmt: skip
def test_replies_without_an_answer_are_asked_again(reply: str) -> None:
    assert _answer(raw(reply), answered("4")).texts == ("4",)


@pytest.mark.parametrize(
    ("turn", "status"),
    [
        (answered("four words are here"), Status.OK),
        (answered("fou", "length"), Status.TRUNCATED),
        (answered(None, refusal="No."), Status.REFUSED),
        (answered("4", reasoning="two and two"), Status.OK),
    ],
)
def test_streamed_answers_are_the_same_as_whole_ones(turn: Turn, status: Status) -> None:
    whole, streamed = _answer(turn), _answer(turn, stream=True)
    assert replace(streamed, latency=0.0) == replace(whole, latency=0.0)
    assert streamed.status is status


@pytest.mark.parametrize("broken", [replace(answered("4"), cut=2), replace(RESET, text="4", cut=2), failed(503)])
def test_a_stream_that_ends_before_the_response_is_complete_is_asked_for_again(broken: Turn) -> None:
    assert _answer(broken, answered("4"), stream=True).texts == ("4",)


def test_a_streamed_response_whose_last_event_is_empty_is_made_of_its_pieces() -> None:
    events = [
        '{"type": "response.reasoning_text.delta", "delta": "hm"}',
        '{"type": "response.output_text.delta", "delta": "4"}',
        '{"type": "response.completed", "response": {"status": "completed", "output": []}}',
    ]
    completion = _answer(raw("".join(f"data: {event}\n\n" for event in events)), stream=True)
    assert (completion.status, completion.texts, completion.reasoning) == (Status.OK, ("4",), "hm")
