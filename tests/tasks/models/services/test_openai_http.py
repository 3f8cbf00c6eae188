"""What `OpenAI` does in ways of its own."""

import pytest
from support.asking import ask, ask_one
from support.scripted_server import ScriptedServer, Turn, answered, failed

from tasks.models.services.openai_http import OpenAI
from tasks.spec.status import Status


def _model(url: str, **arguments: object) -> OpenAI:
    return OpenAI(**{"path": "m", "key": "EMPTY", "openai_api_base": url, "max_seq_len": None, **arguments})  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("address", ["", "/", "/chat/completions"])
def test_the_address_may_name_the_resource(address: str) -> None:
    with ScriptedServer() as server:
        assert ask_one(_model(server.url + address), "hi").status is Status.OK


def test_nothing_is_sent_that_the_configuration_does_not_set() -> None:
    with ScriptedServer() as server:
        ask_one(_model(server.url), "hi")
    assert server.calls[0].body == {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
    assert server.calls[0].headers["api-key"] == "EMPTY"


def test_keys_and_organizations_take_turns() -> None:
    with ScriptedServer() as server:
        ask(_model(server.url, key=["k1", "k2"], org=["o1", "o2", "o3"]), *"abcdef", in_flight=1)
    assert {call.key for call in server.calls} == {"k1", "k2"}
    assert [call.headers["OpenAI-Organization"] for call in server.calls] == ["o1", "o2", "o3"] * 2


def test_a_key_whose_quota_is_used_up_is_not_asked_with_again() -> None:
    def decide(call: object) -> Turn | None:
        return failed(429, "insufficient_quota") if getattr(call, "key", "") == "k1" else None

    with ScriptedServer(decide=decide) as server:
        answers = ask(_model(server.url, key=["k1", "k2"]), *"abcd", in_flight=1)
    assert [answer.status for answer in answers] == [Status.OK] * 4
    assert [call.key for call in server.calls].count("k1") == 1


def test_blanks_are_stripped_from_answers_without_reasoning() -> None:
    with ScriptedServer(turns=[answered(" 4\n"), answered(" 4\n", reasoning="hm")]) as server:
        plain, thought = ask(_model(server.url), "a", "b", in_flight=1)
    assert (plain.texts, thought.texts) == (("4",), (" 4\n",))


def test_persistent_errors_end() -> None:
    with ScriptedServer(decide=lambda _: failed(500)) as server:
        assert ask_one(_model(server.url, retry=3), "hi").status is Status.ERROR
    assert server.requests == 4
