"""Answers that arrive piece by piece: put together, confirmed by their finish reason, or asked for again."""

from dataclasses import replace
from typing import Any

import pytest
from support.asking import ask_one, streaming_model
from support.scripted_server import HANG, RESET, Call, ScriptedServer, Turn, answered, failed

from tasks.models.interface import Completion, Request, Usage
from tasks.spec.status import Status

LONG = "one two three four"
"""Streamed as a role, then four pieces of text, then the finish reason."""


def cut(events: int, turn: Turn | None = None) -> Turn:
    """An answer that ends, or fails as `turn` says, after so many events."""
    return replace(turn or Turn(), text=LONG, cut=events)


def _answer(*turns: Turn, request: Request | str = "hi", **arguments: Any) -> Completion:
    with ScriptedServer(turns=turns) as server:
        completion = ask_one(streaming_model(server.url, **arguments), request)
    assert server.requests == completion.attempts == len(turns)
    return completion


def test_request_asks_for_a_stream_and_its_usage() -> None:
    with ScriptedServer() as server:
        ask_one(streaming_model(server.url, extra_body={"x": 1}), Request(0, "hi", max_out_len=5))
    assert server.calls[0].body == {
        "model": "some-model", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 5, "x": 1,
        "stream": True, "stream_options": {"include_usage": True},
    }  # fmt: skip


def test_pieces_make_the_answer() -> None:
    completion = _answer(answered(LONG), request="two words")
    assert (completion.status, completion.texts, completion.finish_reason) == (Status.OK, (LONG,), "stop")
    assert completion.usage == Usage(2, 4, 0, 0)


def test_several_sequences() -> None:
    assert _answer(answered(LONG), request=Request(0, "hi", sequences=2)).texts == (LONG, LONG)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_kept_apart(field: str) -> None:
    completion = _answer(answered("4", **{field: "two and two"}))
    assert (completion.texts, completion.reasoning) == (("4",), "two and two")
    truncated = _answer(answered(None, "length", content=None, **{field: "two and"}))
    assert (truncated.status, truncated.texts, truncated.reasoning) == (Status.TRUNCATED, ("",), "two and")


def test_reasoning_in_the_text_that_never_ends() -> None:
    completion = _answer(answered("<think>on and on"))
    assert (completion.status, completion.texts, completion.reasoning) == (Status.TRUNCATED, ("",), "on and on")


@pytest.mark.parametrize(
    ("turn", "status"),
    [
        (answered("fou", "length"), Status.TRUNCATED),
        (answered("par", "content_filter"), Status.FILTERED),
        (answered(None, content=None, refusal="No."), Status.REFUSED),
        (answered(""), Status.EMPTY),
    ],
)
def test_outcomes(turn: Turn, status: Status) -> None:
    assert _answer(turn).status is status


@pytest.mark.parametrize("broken", [cut(4), cut(0), cut(1), cut(4, RESET), RESET, failed(500)])
def test_a_stream_without_a_finish_reason_is_asked_for_again(broken: Turn) -> None:
    assert _answer(broken, answered("4")).texts == ("4",)


def test_a_stream_that_stands_still_is_asked_for_again_after_the_timeout() -> None:
    assert _answer(cut(4, HANG), answered("4"), timeout=0.4).texts == ("4",)


def test_attempts_are_bounded() -> None:
    completion = _answer(cut(4), cut(4), retry=1)
    assert (completion.status, completion.error) == (Status.ERROR, "the stream ended without a finish reason")


@pytest.mark.parametrize(
    ("turn", "reason"),
    [(cut(4), "without a finish reason"), (cut(4, RESET), "broke off|failed|closed"), (cut(4, HANG), "within 0.4 s")],
)
def test_unconfirmed_text_is_taken_as_truncated_where_that_is_wanted(turn: Turn, reason: str) -> None:
    completion = _answer(turn, finish_reason_confirm=False, timeout=0.4)
    assert (completion.status, completion.texts) == (Status.TRUNCATED, (LONG[:15],))
    assert completion.note is not None
    assert any(words in completion.note for words in reason.split("|"))


def test_an_unconfirmed_stream_without_text_is_asked_for_again() -> None:
    assert _answer(cut(1), RESET, answered("4"), finish_reason_confirm=False).texts == ("4",)


def test_a_service_that_never_gives_finish_reasons() -> None:
    silent = replace(answered("whole"), finish_reason=None)
    completion = _answer(silent, finish_reason_confirm=False)
    assert (completion.status, completion.texts, completion.note) == (Status.OK, ("whole",), None)


@pytest.mark.parametrize(
    ("error", "again"),
    [
        ('{"error": {"message": "overloaded", "code": 503}}', True),
        ('{"error": {"message": "bad", "code": 400}}', False),
    ],
)
def test_errors_within_a_stream(error: str, again: bool) -> None:
    broken = Turn(raw=f'data: {{"choices": [{{"index": 0, "delta": {{"content": "4"}}}}]}}\n\ndata: {error}\n\n')
    with ScriptedServer(turns=[broken]) as server:
        completion = ask_one(streaming_model(server.url), "hi")
    assert (completion.status is Status.OK, server.requests) == ((True, 2) if again else (False, 1))


def test_a_service_that_does_not_know_stream_options_is_asked_without() -> None:
    def decide(call: Call) -> Turn | None:
        return failed(400, message="unknown field stream_options") if "stream_options" in call.body else None

    with ScriptedServer(decide=decide) as server:
        completion = ask_one(streaming_model(server.url), "hi")
    assert (completion.status, completion.usage, server.requests) == (Status.OK, Usage(), 2)


def test_without_a_stream() -> None:
    with ScriptedServer() as server:
        completion = ask_one(streaming_model(server.url, stream=False), "hi")
    assert "stream" not in server.calls[0].body
    assert completion.status is Status.OK


def test_verbose_tells_of_every_piece_of_reasoning_and_answer(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "tasks.models.model_log")
    _answer(answered("abcd", reasoning="wxyz"), verbose=True)
    lines = [record.getMessage().removeprefix("some-model: request 0") for record in caplog.records]
    assert lines[1:-2] == [f": {piece}" for piece in "wxyzabcd"]
    assert lines[0].startswith(" sent to 127.0.0.1")
    assert lines[-2].startswith(" ok (stop) after") and lines[-1] == " ended"


def test_characters_that_are_cut_between_pieces_of_the_connection() -> None:
    from tasks.models.http.event_stream import EventStream

    data = 'data: {"text": "你好"}\r\n\r\n: still here\n\ndata: a\ndata: b\n\ndata: [DONE]\n\ndata: late\n\n'.encode()
    stream = EventStream()
    events = [event for byte in data for event in stream.feed(bytes([byte]))]
    assert [event.decode() for event in events[:2]] == ['{"text": "你好"}', "a\nb"]
    assert stream.done
