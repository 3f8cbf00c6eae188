"""Every kind of failure against a real server: how often is asked, what is recorded, who else is slowed down."""

import asyncio
import time
from typing import Any

import pytest
from support.asking import ask, ask_one, chat_model
from support.scripted_server import HANG, RESET, Call, ScriptedServer, Turn, answered, failed, raw

from tasks.models.engines.model_server import free_port
from tasks.models.http.failures import AttemptFailed, judge_reply, retry_after
from tasks.models.interface import Completion, Request
from tasks.spec.status import Status


def _ask(*turns: Turn, requests: int = 1, **arguments: Any) -> tuple[Completion, ScriptedServer]:
    """The answer to one request of which the server serves these turns."""
    with ScriptedServer(turns=turns) as server:
        completion = ask_one(chat_model(server.url, **arguments), "hi")
    return completion, server


def _always(turn: Turn) -> ScriptedServer:
    return ScriptedServer(decide=lambda call: turn)


@pytest.mark.parametrize(
    "turn",
    [failed(429), failed(500), failed(502), failed(503), failed(408), failed(409), failed(425), RESET, raw("{nope"),
     raw("[]"), raw('{"choices": []}'), raw('{"choices": [{}]}'), answered(None, "error", content=None),
     raw('{"choices": [{"message": {"content": null}}]}'), raw("", 204)],
)  # fmt: skip
def test_passing_failures_are_tried_again(turn: Turn) -> None:
    completion, server = _ask(turn, turn, answered("4"), retry=2)
    assert (completion.status, completion.texts, completion.attempts) == (Status.OK, ("4",), 3)
    assert server.requests == 3


@pytest.mark.parametrize(("retry", "attempts"), [(0, 1), (1, 2), (3, 4)])
def test_retry_counts_the_attempts_after_the_first(retry: int, attempts: int) -> None:
    with _always(failed(500, message="it broke")) as server:
        completion = ask_one(chat_model(server.url, retry=retry), "hi")
    assert (server.requests, completion.attempts, completion.status) == (attempts, attempts, Status.ERROR)
    assert completion.error == "HTTP 500: it broke"
    assert not completion.fatal


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_rejected_request_is_not_sent_again(status: int) -> None:
    completion, server = _ask(failed(status, "some_code", "not like this"), retry=5)
    assert (completion.status, server.requests) == (Status.ERROR, 1)
    assert completion.error == f"HTTP {status}: not like this"
    assert not completion.fatal


def test_a_context_error_marks_the_sample() -> None:
    completion, _ = _ask(failed(400, "context_length_exceeded", "This model's maximum context length is 10 tokens"))
    assert completion.note == "the service finds the prompt too long"


def test_one_sample_that_is_rate_limited_does_not_stop_the_others() -> None:
    def decide(call: Call) -> Turn | None:
        return failed(429) if call.last_user == "bad" else None

    with ScriptedServer(decide=decide) as server:
        bad, *others = ask(chat_model(server.url, retry=2), "bad", *[f"q{n}" for n in range(10)])
    assert server.questions["bad"] == bad.attempts == 3
    assert (bad.status, bad.error) == (Status.ERROR, "rate limited: HTTP 429: scripted failure")
    assert all(other.status is Status.OK and other.attempts == 1 for other in others)


@pytest.mark.usefixtures("real_back_off")
def test_attempts_are_spaced_more_and_more() -> None:
    with _always(failed(500)) as server:
        ask_one(chat_model(server.url, retry=2), "hi")
    first, second, third = [call.at for call in server.calls]
    assert second - first >= 0.5
    assert third - second >= 1.0


def test_retry_after_holds_everyone_back() -> None:
    turns = [failed(429, retry_after=0.5)]
    with ScriptedServer(turns=turns) as server:
        answers = ask(chat_model(server.url), *[f"q{n}" for n in range(6)], in_flight=2)
    assert all(answer.status is Status.OK for answer in answers)
    times = sorted(call.at for call in server.calls)
    assert server.requests == 7
    assert times[2] - times[0] >= 0.45


def test_a_model_on_the_same_endpoint_is_held_back_too() -> None:
    from tasks.models.http.endpoints import Limiters

    with ScriptedServer(turns=[failed(429, retry_after=0.5)]) as server:
        first, second, limiters = chat_model(server.url), chat_model(server.url, path="other"), Limiters()
        first.bind(limiters, None)
        second.bind(limiters, None)

        async def both() -> float:
            asked = asyncio.ensure_future(first.answer(Request(0, "hi")))
            while not limiters.get(server.url).is_paused:  # noqa: ASYNC110 the limiter tells nobody when it pauses
                await asyncio.sleep(0.01)
            start = time.monotonic()
            await second.answer(Request(0, "hi"))
            waited = time.monotonic() - start
            await asked
            await first.close()
            await second.close()
            return waited

        assert asyncio.run(both()) >= 0.3
        assert limiters.get(server.url).retries == 1


def test_query_per_second_is_kept() -> None:
    with ScriptedServer() as server:
        ask(chat_model(server.url, query_per_second=20), *[f"q{n}" for n in range(6)])
    times = [call.at for call in server.calls]
    assert max(times) - min(times) >= 5 / 20 - 0.02


def test_every_key_that_is_refused_leaves_and_the_others_go_on() -> None:
    def decide(call: Call) -> Turn | None:
        return {"gone": failed(401), "poor": failed(429, "insufficient_quota")}.get(call.key or "")

    with ScriptedServer(decide=decide) as server:
        answers = ask(
            chat_model(server.url, key=["gone", "poor", "good"], retry=0), *[f"q{n}" for n in range(8)], in_flight=1
        )
    assert all(answer.status is Status.OK for answer in answers)
    assert [call.key for call in server.calls].count("gone") == 1
    assert [call.key for call in server.calls].count("poor") == 1


@pytest.mark.parametrize(
    "turn", [failed(401), failed(402), failed(403), failed(429, "insufficient_quota", "You exceeded your quota")]
)
def test_without_any_key_left_asking_on_is_pointless(turn: Turn) -> None:
    with _always(turn) as server:
        answers = ask(chat_model(server.url, key=["one", "two"], retry=5), "a", "b", in_flight=1)
    assert server.requests == 2
    assert [answer.status for answer in answers] == [Status.ERROR] * 2
    assert all(answer.fatal for answer in answers)
    assert "no key is left" in str(answers[0].error)


def test_a_key_that_many_requests_are_refused_with_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    with _always(failed(401)) as server:
        ask(chat_model(server.url, key="gone", retry=0), *[f"q{n}" for n in range(8)], in_flight=8)
    assert [record.getMessage().split(":")[0] for record in caplog.records if record.levelname == "WARNING"] == [
        "a key is no longer used"
    ]


@pytest.mark.parametrize(
    ("turn", "doubt"),
    [
        (raw("", 404), True),
        (raw('{"detail":"Not Found"}', 404), True),
        (raw('{"detail":"Method Not Allowed"}', 405), True),
        (failed(404, message="The model `gtp` does not exist"), False),
        (failed(400), False),
    ],
)
def test_an_address_where_nothing_is_comes_into_doubt(turn: Turn, doubt: bool) -> None:
    completion, _ = _ask(turn)
    assert ("is the address of the service right?" in str(completion.error)) == doubt


def test_a_key_never_appears_in_an_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "tasks")
    with ScriptedServer(api_key="right") as server:
        completion = ask_one(chat_model(server.url, key="my-own-secret", verbose=True), "hi")
    assert (
        completion.error
        == "no key is left that the service takes; the last one: HTTP 401: Incorrect API key provided: ***"
    )
    assert "my-own-secret" not in caplog.text


@pytest.mark.parametrize(
    "turn",
    [failed(400, "content_filter"), failed(400, "content_policy_violation"), failed(400, "DataInspectionFailed"),
     Turn(status=400, error={"message": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}),
     failed(403, "SensitiveContentDetected")],
)  # fmt: skip
def test_an_error_that_names_a_content_filter_is_filtered(turn: Turn) -> None:
    completion, server = _ask(turn, retry=3)
    assert (completion.status, completion.texts, server.requests) == (Status.FILTERED, ("",), 1)
    assert str(completion.error).startswith(f"HTTP {turn.status}: ")


@pytest.mark.parametrize("status", [400, 401, 429, 500])
@pytest.mark.parametrize("as_text", [False, True])
def test_a_mapped_status_is_the_answer_at_once(status: int, as_text: bool) -> None:
    mappings: Any = {str(status) if as_text else status: "[blocked]"}
    completion, server = _ask(failed(status), status_code_mappings=mappings, retry=3)
    assert (completion.status, completion.texts, server.requests) == (Status.FILTERED, ("[blocked]",), 1)


def test_timeout_holds_per_attempt() -> None:
    completion, server = _ask(HANG, answered("4"), timeout=0.3, retry=1)
    assert (completion.status, server.requests) == (Status.OK, 2)
    completion, _ = _ask(HANG, timeout=0.3, retry=0)
    assert str(completion.error).endswith("within 0.3 s")


def test_total_timeout_holds_for_a_request_with_its_attempts() -> None:
    with _always(failed(429, retry_after=600)) as server:
        completion = ask_one(chat_model(server.url, total_timeout=0.5, retry=50), "hi")
    assert completion.status is Status.ERROR
    assert completion.error == (
        "no answer within 0.5 s (total_timeout); last failure: rate limited: HTTP 429: scripted failure"
    )
    assert server.requests == completion.attempts == 1


def test_an_endpoint_that_nobody_reaches_is_given_up() -> None:
    port = free_port()
    answers = ask(chat_model(f"http://127.0.0.1:{port}/v1", retry=1), *[f"q{n}" for n in range(12)])
    assert all(answer.status is Status.ERROR and answer.attempts == 2 for answer in answers)
    assert str(answers[0].error).startswith(f"cannot connect: Connection refused (127.0.0.1:{port})")
    assert answers[-1].fatal


def test_a_few_failed_connections_are_no_reason_to_stop() -> None:
    with ScriptedServer(turns=[RESET] * 4) as server:
        answers = ask(chat_model(server.url, retry=1), *"abcdef", in_flight=1)
    assert not any(answer.fatal for answer in answers)
    assert sum(answer.status is Status.OK for answer in answers) >= 4


def test_unknown_host() -> None:
    completion = ask_one(chat_model("http://no-such-host.invalid/v1", retry=0), "hi")
    assert completion.error == "unknown host (no-such-host.invalid)"


def test_an_error_page_is_shortened() -> None:
    completion, _ = _ask(raw("<html>" + "x" * 100_000, 404))
    assert len(str(completion.error)) <= 500


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({}, None), ({"Retry-After": "3"}, 3), ({"Retry-After": "-1"}, 0), ({"Retry-After": "soon"}, None),
     ({"Retry-After": "9", "Retry-After-Ms": "250"}, 0.25), ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0)],
)  # fmt: skip
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe", b"[]", b'{"error": "plain text"}', b'{"detail": [{"loc": 1}]}', b"null", b'"x"']
)
def test_errors_in_any_form_are_understood(body: bytes) -> None:
    verdict = judge_reply(400, {}, body, {})
    assert isinstance(verdict, AttemptFailed)
    assert verdict.reason.startswith("HTTP 400")
