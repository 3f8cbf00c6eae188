"""What `OpenAISDK` sends, and what it makes of the replies."""

import json
from typing import Any

import pytest
from support.asking import ask, ask_one, chat_model
from support.scripted_server import ScriptedServer, Turn, answered, raw

from tasks.models.interface import Completion, Request, Sampling, Usage
from tasks.models.services.openai_chat import OpenAISDK
from tasks.spec.findings import UserError
from tasks.spec.status import Status


def _body(request: Request | str = "hi", **arguments: Any) -> dict[str, Any]:
    with ScriptedServer() as server:
        ask_one(chat_model(server.url, **arguments), request)
    return server.calls[0].body


def _answer(turn: Turn, request: Request | str = "hi", **arguments: Any) -> Completion:
    """The answer to one request that needs no second attempt."""
    with ScriptedServer(turns=[turn]) as server:
        completion = ask_one(chat_model(server.url, **arguments), request)
    assert server.requests == completion.attempts == 1
    return completion


def test_a_plain_request_has_nothing_that_the_configuration_does_not_set() -> None:
    assert _body() == {"model": "some-model", "messages": [{"role": "user", "content": "hi"}]}


def test_dialogues_are_sent_in_the_roles_of_the_service() -> None:
    prompt = [{"role": "SYSTEM", "prompt": "s"}, {"role": "HUMAN", "prompt": "q"}, {"role": "BOT", "prompt": "a"}]
    roles = [message["role"] for message in _body(Request(0, prompt))["messages"]]
    assert roles == ["system", "user", "assistant"]


def test_raw_messages_with_content_parts_are_sent_as_they_are() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    prompt = [{"role": "user", "content": [{"type": "text", "text": "What is it?"}, image]}]
    assert _body(Request(0, prompt))["messages"] == prompt


def test_limits_stops_and_sequences_of_a_request() -> None:
    body = _body(Request(0, "hi", max_out_len=50, stop=("a", "b"), sequences=3))
    assert (body["max_tokens"], body["stop"], body["n"]) == (50, ["a", "b"], 3)
    assert "max_completion_tokens" not in body


def test_a_data_sets_sampling_goes_before_the_models() -> None:
    body = _body(Request(0, "hi", sampling=Sampling(temperature=0.7, top_p=0.9, top_k=40)), temperature=0.0)
    assert (body["temperature"], body["top_p"]) == (0.7, 0.9) and "top_k" not in body


def test_more_stops_than_the_service_takes_are_cut_afterwards() -> None:
    request = Request(0, "hi", stop=("1", "2", "3", "4", "5"))
    assert _body(request)["stop"] == ["1", "2", "3", "4"]
    assert _answer(answered("yes 5 no"), request).texts == ("yes ",)


def test_openai_reasoning_models_take_other_fields() -> None:
    body = _body(Request(0, "hi", max_out_len=50, stop=("x",)), path="o3-mini")
    assert body["max_completion_tokens"] == 50
    assert not body.keys() & {"max_tokens", "stop", "temperature"}


def test_extra_fields_reach_the_body_and_headers_the_request() -> None:
    extras: dict[str, Any] = {
        "max_completion_tokens": 7, "top_p": 0.5, "no_such_field": 1, "extra_body": {"a": 1},
        "extra_headers": {"X-Mine": "yes"}, "extra_query": {"v": 2},
    }  # fmt: skip
    with ScriptedServer() as server:
        model = chat_model(
            server.url, openai_extra_kwargs=extras, extra_body={"b": {"c": 2}}, temperature=0.0, org="my-org",
            logprobs=True, top_logprobs=3,
        )  # fmt: skip
        ask_one(model, Request(0, "hi", max_out_len=50))
    call = server.calls[0]
    assert call.headers["X-Mine"] == "yes"
    assert call.headers["OpenAI-Organization"] == "my-org"
    del call.body["messages"]
    assert call.body == {
        "model": "some-model", "temperature": 0.0, "max_completion_tokens": 7, "top_p": 0.5, "no_such_field": 1,
        "a": 1, "b": {"c": 2}, "logprobs": True, "top_logprobs": 3,
    }  # fmt: skip


def test_text_that_utf8_cannot_hold_is_asked_and_answered() -> None:
    completion = _answer(
        Turn(raw='{"choices": [{"message": {"content": "\\ud800!"}, "finish_reason": "stop"}]}'), "a\udc80b"
    )
    assert completion.texts == ("\ud800!",)


def test_usage_reasoning_and_cached_tokens() -> None:
    usage = """{"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 5},
        "completion_tokens": 30, "completion_tokens_details": {"reasoning_tokens": 20}}"""
    choice = '{"message": {"content": "4"}, "finish_reason": "stop"}'
    completion = _answer(Turn(raw=f'{{"choices": [{choice}], "usage": {usage}}}'))
    assert completion.usage == Usage(9, 30, 20, 5)
    assert completion.latency > 0


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart_under_both_names(field: str) -> None:
    completion = _answer(answered("4", **{field: "two and two"}))
    assert (completion.status, completion.texts, completion.reasoning) == (Status.OK, ("4",), "two and two")


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_that_used_up_the_limit_is_truncated_and_not_asked_again(field: str) -> None:
    completion = _answer(answered(None, "length", content=None, **{field: "hmm"}), retry=3)
    assert (completion.status, completion.texts, completion.reasoning) == (Status.TRUNCATED, ("",), "hmm")


def test_reasoning_in_the_text() -> None:
    completion = _answer(answered("<think>2+2</think>4"))
    assert (completion.status, completion.texts, completion.reasoning) == (Status.OK, ("4",), "2+2")
    assert _answer(answered("<think>2+2")).status is Status.TRUNCATED
    other = _answer(answered("<reason>2+2</reason>4"), think_tag="</reason>")
    assert other.texts == ("4",)


def test_withheld_and_missing_answers_are_told_apart() -> None:
    filtered = _answer(answered("par", "content_filter"))
    refused = _answer(answered(None, "stop", content=None, refusal="I cannot help with that."))
    empty = _answer(answered(""))
    assert (filtered.status, filtered.error) == (Status.FILTERED, "the service's content filter")
    assert (refused.status, refused.error) == (Status.REFUSED, "I cannot help with that.")
    assert (empty.status, empty.error, empty.texts) == (Status.EMPTY, None, ("",))


def test_several_sequences() -> None:
    completion = _answer(answered("4"), Request(0, "hi", sequences=3))
    assert completion.texts == ("4", "4", "4")


def test_a_prompt_that_is_too_long_is_an_error_of_that_sample_alone() -> None:
    with ScriptedServer() as server:
        long, short = ask(chat_model(server.url, max_seq_len=50), "word " * 60, "hi")
    assert (long.status, long.attempts, server.requests) == (Status.ERROR, 0, 1)
    assert long.error == "the prompt has about 60 tokens, the model takes 50 (max_seq_len)"
    assert short.status is Status.OK


def test_output_limit_as_large_as_the_context() -> None:
    body = _body(Request(0, "word " * 10, max_out_len=131072), max_seq_len=131072)
    assert body["max_tokens"] == 131072 - 10 - 100


def test_a_prompt_that_may_be_cut_is_cut_and_noted() -> None:
    with ScriptedServer() as server:
        completion = ask_one(
            chat_model(server.url, max_seq_len=200, mode="rear"), Request(0, "word " * 300, max_out_len=50)
        )
    assert server.calls[0].last_user == "word " * 50
    assert completion.note == "prompt cut from 300 to 50 tokens (rear)"


def test_a_prompt_that_the_service_cut_is_noted() -> None:
    reply = '{"choices": [{"message": {"content": "4"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 40}}'
    completion = _answer(Turn(raw=reply), "word " * 300, max_seq_len=1000)
    assert completion.note == "the service may have cut the prompt: it read 40 tokens, about 300 (estimated) were sent"


def test_many_requests_are_in_flight_up_to_the_cap() -> None:
    with ScriptedServer(latency=0.05) as server:
        answers = ask(chat_model(server.url), *[f"question {n}" for n in range(40)], in_flight=8)
    assert [answer.texts[0] for answer in answers] == [f"You said: question {n}" for n in range(40)]
    assert server.peak == 8


def test_addresses_and_keys_take_turns() -> None:
    with ScriptedServer() as first, ScriptedServer() as second:
        ask(chat_model([first.url, second.url + "/"], key=["one", "two"]), *"abcd", in_flight=1)
    assert (first.requests, second.requests) == (2, 2)
    assert {call.key for call in [*first.calls, *second.calls]} == {"one", "two"}


def test_address_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(api_key="sk-env") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
        assert ask_one(OpenAISDK(path="m"), "hi").status is Status.OK


def test_a_query_in_the_address_goes_behind_the_path() -> None:
    with ScriptedServer() as server:
        completion = ask_one(
            chat_model(f"{server.url}?api-version=3", openai_extra_kwargs={"extra_query": {"v": 2}}), "hi"
        )
    assert completion.status is Status.OK


def test_user_and_password_in_the_address_replace_the_key() -> None:
    with ScriptedServer() as server:
        ask_one(chat_model(server.url.replace("://", "://me:pass%20word@")), "hi")
    assert server.calls[0].headers["Authorization"] == "Basic bWU6cGFzcyB3b3Jk"


@pytest.mark.parametrize(("verbose", "lines"), [(True, 2), (False, 0)])
def test_verbose_tells_of_requests_without_their_texts(
    verbose: bool, lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "tasks.models.model_log")
    _answer(answered("the answer text"), "the question text", verbose=verbose)
    assert [record.name for record in caplog.records].count("tasks.models.model_log") == lines
    assert "text" not in caplog.text


def test_requests_per_minute_are_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "tasks.models.model_log")
    with ScriptedServer() as server:
        ask(chat_model(server.url, rpm_verbose=True), "a", "b", in_flight=1)
    assert "2 requests in the last 60 s" in caplog.text


def test_unknown_arguments_are_an_error() -> None:
    with pytest.raises(TypeError, match="temprature"):
        OpenAISDK(path="m", key="EMPTY", temprature=1)  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"mode": "middle"}, "there is no mode 'middle'"),
        ({"retry": -1}, "retry cannot be -1"),
        ({"timeout": 0}, "timeout cannot be 0"),
        ({"query_per_second": -2}, "query_per_second"),
        ({"openai_api_base": "localhost:8000"}, "no URL"),
        ({"openai_api_base": []}, "empty"),
        ({"http_client_cfg": {"proxi": "x"}}, "unknown option 'proxi'"),
    ],
)
def test_values_that_no_request_can_be_made_with(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(UserError, match=named):
        chat_model(**{"url": "http://127.0.0.1:1/v1", **arguments})


@pytest.mark.parametrize(("wanted", "given"), [(1, 2), (2, 3), (1, 9)])
def test_of_more_choices_than_were_asked_the_first_ones_count(wanted: int, given: int) -> None:
    choices = [{"message": {"content": f"c{n}"}, "finish_reason": "stop", "index": n} for n in range(given)]
    completion = _answer(raw(json.dumps({"choices": choices})), Request(0, "hi", sequences=wanted))
    assert completion.texts == tuple(f"c{n}" for n in range(wanted))
    assert completion.status is Status.OK
    assert completion.note is not None
    assert f"the service gave {given} choices where {wanted} w" in completion.note
