"""What is sent and what fails here is what the openai SDK would send, and where it would fail.

The SDK is not on the way of a request, for its cost; this holds the two together.
"""

import asyncio
from typing import Any

import pytest
from support.asking import ask, ask_one, chat_model, responses_model, streaming_model
from support.scripted_server import HANG, RESET, Call, ScriptedServer, Turn, answered, failed, raw

from tasks.models.interface import Request
from tasks.spec.status import Status

openai = pytest.importorskip("openai")

EXTRAS: dict[str, Any] = {"top_p": 0.5, "extra_headers": {"X-Mine": "1"}, "extra_query": {"v": "2"}}
EXTRA_BODY: dict[str, Any] = {"chat_template_kwargs": {"enable_thinking": True}}
MESSAGES = [{"role": "system", "content": "s"}, {"role": "user", "content": "Wie heißt du? 你好"}]
SAME_HEADERS = ("Authorization", "Content-Type", "Accept", "OpenAI-Organization", "X-Mine")


def _client(url: str, **arguments: Any) -> Any:
    return openai.AsyncOpenAI(api_key="sk-test", base_url=url, max_retries=0, organization="org", **arguments)


def _sdk(url: str, call: Any, **arguments: Any) -> Any:
    """The answer of the SDK, or the error it raises."""

    async def run() -> Any:
        async with _client(url, **arguments) as client:
            try:
                return await call(client)
            except openai.OpenAIError as error:
                return error

    return asyncio.run(run())


def _chat(client: Any) -> Any:
    return client.chat.completions.create(
        model="some-model",
        messages=MESSAGES,
        max_tokens=9,
        temperature=0.0,
        stop=["###"],
        n=2,
        extra_body=EXTRA_BODY,
        **EXTRAS,
    )


async def _chat_stream(client: Any) -> Any:
    stream = await client.chat.completions.create(
        model="some-model", messages=MESSAGES, max_tokens=9, temperature=0.0, stop=["###"], n=2, extra_body=EXTRA_BODY,
        stream=True, stream_options={"include_usage": True}, **EXTRAS,
    )  # fmt: skip
    return [event async for event in stream]


async def _response_stream(client: Any) -> Any:
    stream = await client.responses.create(
        model="some-model", input=MESSAGES, max_output_tokens=9, temperature=0.0, extra_body=EXTRA_BODY, stream=True,
        **EXTRAS,
    )  # fmt: skip
    return [event async for event in stream]


def _responses(client: Any) -> Any:
    return client.responses.create(
        model="some-model", input=MESSAGES, max_output_tokens=9, temperature=0.0, extra_body=EXTRA_BODY, **EXTRAS
    )


def _same(ours: Call, theirs: Call) -> None:
    assert ours.path == theirs.path
    assert ours.body == theirs.body
    assert [ours.headers.get(name) for name in SAME_HEADERS] == [theirs.headers.get(name) for name in SAME_HEADERS]


def test_chat_completions_requests_and_answers_are_the_same() -> None:
    with ScriptedServer() as server:
        theirs = _sdk(server.url, _chat)
        model = chat_model(
            server.url, key="sk-test", org="org", temperature=0.0, openai_extra_kwargs=EXTRAS, extra_body=EXTRA_BODY
        )
        request = Request(0, list(MESSAGES), max_out_len=9, stop=("###",), sequences=2)
        ours = ask_one(model, request)
    _same(server.calls[1], server.calls[0])
    assert ours.texts == tuple(choice.message.content for choice in theirs.choices)
    assert ours.usage.prompt_tokens == theirs.usage.prompt_tokens


def test_responses_requests_and_answers_are_the_same() -> None:
    with ScriptedServer() as server:
        theirs = _sdk(server.url, _responses)
        model = responses_model(
            server.url, key="sk-test", org="org", temperature=0.0, openai_extra_kwargs=EXTRAS, extra_body=EXTRA_BODY
        )
        ours = ask_one(model, Request(0, list(MESSAGES), max_out_len=9))
    _same(server.calls[1], server.calls[0])
    assert ours.texts == (theirs.output_text,)


@pytest.mark.parametrize(
    "turn", [answered("one two three"), answered("on", "length"), answered(None, content=None, refusal="No.")]
)
def test_streams_are_asked_for_and_read_alike(turn: Turn) -> None:
    """The SDK's events, put together, are the answer that is made of the same bytes here."""
    with ScriptedServer(turns=[turn, turn]) as server:
        theirs = _sdk(server.url, _chat_stream)
        model = streaming_model(
            server.url, key="sk-test", org="org", temperature=0.0, openai_extra_kwargs=EXTRAS, extra_body=EXTRA_BODY
        )
        ours = ask_one(model, Request(0, list(MESSAGES), max_out_len=9, stop=("###",), sequences=2))
    _same(server.calls[1], server.calls[0])
    choices = [[choice for event in theirs for choice in event.choices if choice.index == n] for n in (0, 1)]
    assert ours.texts == tuple("".join(piece.delta.content or "" for piece in pieces) for pieces in choices)
    assert ours.finish_reason == choices[0][-1].finish_reason
    assert ours.error == ("".join(piece.delta.refusal or "" for piece in choices[0]) or None)
    assert ours.usage.completion_tokens == theirs[-1].usage.completion_tokens


def test_streamed_responses_are_asked_for_and_read_alike() -> None:
    with ScriptedServer() as server:
        theirs = _sdk(server.url, _response_stream)
        model = responses_model(
            server.url, key="sk-test", org="org", temperature=0.0, stream=True, openai_extra_kwargs=EXTRAS,
            extra_body=EXTRA_BODY,
        )  # fmt: skip
        ours = ask_one(model, Request(0, list(MESSAGES), max_out_len=9))
    _same(server.calls[1], server.calls[0])
    assert ours.texts == (theirs[-1].response.output_text,)


@pytest.mark.parametrize("base", ["/v1", "/v1/"])
def test_addresses_are_joined_alike(base: str) -> None:
    with ScriptedServer() as server:
        assert not isinstance(_sdk(server.root + base, _chat), openai.OpenAIError)
        assert ask_one(chat_model(server.root + base), "hi").status is Status.OK


def test_errors_fail_alike_and_carry_the_same_message() -> None:
    statuses = (400, 401, 403, 404, 409, 422, 429, 500, 503)
    turns = [failed(status, "code", f"message {status}") for status in statuses]
    with ScriptedServer(turns=turns * 2) as server:
        theirs = [_sdk(server.url, _chat) for _ in statuses]
        ours = [ask_one(chat_model(server.url, retry=0), "hi") for _ in statuses]
    for status, error, completion in zip(statuses, theirs, ours, strict=True):
        assert error.status_code == status
        assert completion.status is Status.ERROR
        assert f"HTTP {status}: message {status}" in str(completion.error)
        assert f"message {status}" in str(error)


@pytest.mark.parametrize("status", [400, 404, 408, 409, 422, 429, 500, 503])
def test_the_same_failures_are_tried_again(status: int) -> None:
    def decide(call: Call) -> Turn:
        return failed(status)

    with ScriptedServer(decide=decide) as server:
        _sdk(server.url, lambda client: _chat(client.with_options(max_retries=1)))
        theirs = server.requests
        ask(chat_model(server.url, retry=1), "hi")
        assert server.requests - theirs == theirs


@pytest.mark.parametrize(
    ("turn", "error"), [(HANG, "APITimeoutError"), (RESET, "APIConnectionError"), (raw("{nope"), "JSONDecodeError")]
)
def test_lost_and_broken_answers_fail_alike(turn: Turn, error: str) -> None:
    with ScriptedServer(turns=[turn, turn]) as server:
        try:
            theirs = type(_sdk(server.url, _chat, timeout=0.3)).__name__
        except ValueError as broken:
            theirs = type(broken).__name__
        ours = ask_one(chat_model(server.url, timeout=0.3, retry=0), "hi")
    assert theirs == error
    assert ours.status is Status.ERROR
