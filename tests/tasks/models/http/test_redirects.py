"""A service that sends requests elsewhere: keys, headers and prompts stay with the host that they are meant for."""

from collections.abc import Callable
from typing import Any

import pytest
from support.asking import ask_one, chat_model, responses_model, streaming_model
from support.claude_server import ClaudeServer
from support.gemini_server import GeminiServer
from support.scripted_server import ScriptedServer, Turn

from tasks.models.interface import Backend
from tasks.spec.status import Status


def claude(server: ScriptedServer) -> Backend:
    pytest.importorskip("anthropic", reason="needs anthropic (the extra `vendors`)")
    from tasks.models.vendors.claude import ClaudeSDK

    return ClaudeSDK(path="m", key="sk-test", base_url=server.root, retry=2)


def gemini(server: ScriptedServer) -> Backend:
    pytest.importorskip("google.genai", reason="needs google-genai (the extra `vendors`)")
    from tasks.models.vendors.gemini import GeminiSDK

    return GeminiSDK(path="m", key="sk-test", base_url=server.root, retry=2)


def asked_with_headers(server: ScriptedServer) -> Backend:
    headers = {"X-Gateway-Auth": "sk-test"}
    return chat_model(
        server.url, retry=2, key="sk-test", http_client_cfg={"headers": headers},
        openai_extra_kwargs={"extra_headers": headers},
    )  # fmt: skip


CLIENTS: dict[str, tuple[type[ScriptedServer], Callable[[Any], Backend]]] = {
    "chat": (ScriptedServer, asked_with_headers),
    "stream": (ScriptedServer, lambda server: streaming_model(server.url, retry=2)),
    "responses": (ScriptedServer, lambda server: responses_model(server.url, retry=2)),
    "claude": (ClaudeServer, claude),
    "gemini": (GeminiServer, gemini),
}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("status", [301, 307, 308])
def test_another_host_is_not_followed(client: str, status: int):
    kind, model = CLIENTS[client]
    with kind() as elsewhere:
        there = elsewhere.root.replace("127.0.0.1", "localhost")
        with kind(decide=lambda call: Turn(status=status, headers={"Location": there + call.path}, raw="")) as server:
            completion = ask_one(model(server), "hi")
    assert completion.status is Status.ERROR
    assert "sends requests to http://localhost:" in str(completion.error)
    assert elsewhere.calls == [] and server.requests == 1


def test_an_address_that_is_no_web_address_is_not_read():
    turn = Turn(status=307, headers={"Location": "file:///etc/passwd"}, raw="")
    with ScriptedServer(decide=lambda _: turn) as server:
        completion = ask_one(chat_model(server.url, retry=0), "hi")
    assert completion.status is Status.ERROR and "root:" not in str(completion.error)


@pytest.mark.parametrize("client", CLIENTS)
def test_the_same_host_is(client: str):
    kind, model = CLIENTS[client]

    def decide(call: Any) -> Turn | None:
        return Turn(status=307, headers={"Location": call.path}, raw="") if call.number == 0 else None

    with kind(decide=decide) as server:
        assert ask_one(model(server), "hi").status is Status.OK
    assert server.requests == 2 and server.calls[0].key == server.calls[1].key
