"""Base models behind the completions interface: what is asked, and how texts are scored."""

import json
from typing import Any

import pytest
from support.asking import ask_one, score, scored_requests
from support.scored_texts import chat_shaped, log_likelihood, log_probability, text_completion, tokens
from support.scripted_server import Call, ScriptedServer, Turn, answered, failed

from tasks.models.interface import Request, ScoreRequest, Usage
from tasks.models.services.openai_completion import OpenAISDKCompletion
from tasks.spec.status import Status

CONTEXT, OPTION = "the quick brown", " fox jumps"
EXPECTED = log_probability(" fox") + log_probability(" jumps")


def _model(url: str, **arguments: Any) -> OpenAISDKCompletion:
    return OpenAISDKCompletion(
        **{"path": "base", "key": "EMPTY", "openai_api_base": url, "max_seq_len": None, **arguments}
    )


def _reshaped(chat: bool = True, prompt: bool = True, edit: Any = None) -> Any:
    """Answers of a service whose log-probabilities have another form."""

    def decide(call: Call) -> Turn:
        reply = text_completion(call, Turn(), "more")
        if edit is not None:
            edit(reply["choices"][0]["logprobs"])
        return Turn(raw=json.dumps(chat_shaped(reply, prompt=prompt) if chat else reply))

    return decide


def test_the_prompt_is_sent_as_one_text() -> None:
    with ScriptedServer() as server:
        model = _model(server.url, temperature=0.5, openai_extra_kwargs={"top_p": 0.9}, extra_body={"top_k": 5})
        completion = ask_one(model, Request(0, "Once upon", max_out_len=9, stop=("\n",), sequences=2))
    assert server.calls[0].path == "/v1/completions"
    assert server.calls[0].body == {
        "model": "base", "prompt": "Once upon", "max_tokens": 9, "temperature": 0.5, "n": 2, "stop": ["\n"],
        "top_p": 0.9, "top_k": 5,
    }  # fmt: skip
    assert completion.texts == ("You said: Once upon",) * 2
    assert completion.usage == Usage(2, 8)


@pytest.mark.parametrize(
    ("turn", "status", "text"),
    [
        (answered("4\nQ"), Status.OK, "4"),
        (answered("fou", "length"), Status.TRUNCATED, "fou"),
        (answered("x", "content_filter"), Status.FILTERED, "x"),
        (answered(""), Status.EMPTY, ""),
        (answered("<think>hm</think>4"), Status.OK, "4"),
        (answered("<think>hm"), Status.TRUNCATED, ""),
    ],
)
def test_outcomes(turn: Turn, status: Status, text: str) -> None:
    with ScriptedServer(turns=[turn]) as server:
        completion = ask_one(_model(server.url), Request(0, "hi", stop=("\n",)))
    assert (completion.status, completion.texts) == (status, (text,))


def test_the_tokens_of_the_continuation_are_scored_under_the_context() -> None:
    with ScriptedServer() as server:
        part, whole = score(_model(server.url), (CONTEXT, OPTION), ("", CONTEXT + OPTION))
    assert (part.status, part.tokens) == (Status.OK, 2)
    assert part.log_likelihood == pytest.approx(EXPECTED)
    assert (whole.log_likelihood, whole.tokens) == (pytest.approx(log_likelihood(CONTEXT + OPTION)), 4)
    assert server.calls[0].body["prompt"] == CONTEXT + OPTION
    assert server.requests == 2


def test_every_token_has_its_own_where_that_is_asked() -> None:
    with ScriptedServer() as server:
        told, plain = scored_requests(
            _model(server.url), ScoreRequest(0, CONTEXT, OPTION, tokenwise=True), ScoreRequest(1, CONTEXT, OPTION)
        )
    assert told.token_log_probabilities == pytest.approx([log_probability(token) for token in tokens(OPTION)])
    assert plain.token_log_probabilities is None


def test_log_probabilities_in_the_form_of_chat_completions() -> None:
    with ScriptedServer(decide=_reshaped()) as server:
        (part,) = score(_model(server.url), (CONTEXT, OPTION))
    assert (part.log_likelihood, part.tokens) == (pytest.approx(EXPECTED), 2)


def test_a_token_that_the_service_puts_before_the_prompt_is_not_scored() -> None:
    def edit(logprobs: dict[str, Any]) -> None:
        logprobs["tokens"].insert(0, "<s>")
        logprobs["token_logprobs"].insert(0, None)

    with ScriptedServer(decide=_reshaped(chat=False, edit=edit)) as server:
        (part,) = score(_model(server.url), (CONTEXT, OPTION))
    assert (part.log_likelihood, part.tokens) == (pytest.approx(EXPECTED), 2)


def test_where_the_tokens_do_not_tell_the_border_the_context_is_scored_by_itself() -> None:
    def edit(logprobs: dict[str, Any]) -> None:
        logprobs["tokens"] = ["\ufffd"] * len(logprobs["tokens"])

    with ScriptedServer(decide=_reshaped(chat=False, edit=edit)) as server:
        (part,) = score(_model(server.url), (CONTEXT, OPTION))
    assert (part.log_likelihood, part.tokens) == (pytest.approx(EXPECTED), 2)
    assert [call.body["prompt"] for call in server.calls] == [CONTEXT + OPTION, CONTEXT]


@pytest.mark.parametrize("reply", ["chat", "none"])
def test_a_service_without_log_probabilities_of_the_prompt_says_so_at_once(reply: str) -> None:
    silent = Turn(raw='{"choices": [{"text": "x", "logprobs": null}], "usage": {"completion_tokens": 1}}')
    decide = _reshaped(prompt=False) if reply == "chat" else lambda _: silent
    with ScriptedServer(decide=decide) as server:
        (part,) = score(_model(server.url), (CONTEXT, OPTION))
    assert (part.status, part.fatal, server.requests) == (Status.ERROR, True, 1)
    assert "echo" in str(part.error)


def test_a_text_that_is_too_long_is_an_error_of_that_sample_alone() -> None:
    with ScriptedServer() as server:
        long, short = score(_model(server.url, max_seq_len=20), ("word " * 30, "x"), ("a", " b"))
    assert (long.status, long.attempts, short.status) == (Status.ERROR, 0, Status.OK)
    assert "30" in str(long.error) or "31" in str(long.error)


def test_failures_are_tried_again() -> None:
    with ScriptedServer(turns=[failed(500), Turn(raw='{"choices": [{"logprobs": 1}]}')]) as server:
        (part,) = score(_model(server.url, retry=1), ("a", " b"))
    assert (part.status, part.attempts) == (Status.ERROR, 2)


def test_the_words_of_the_test_model() -> None:
    assert tokens("a  bc\n d ") == ["a", "  bc", "\n d", " "]
