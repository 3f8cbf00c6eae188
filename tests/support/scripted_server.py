"""A real HTTP server that speaks chat completions and Responses, and does on every call what its script says.

In a test:

    with ScriptedServer(answer=lambda question: "The answer is 18", turns=[failed(429, retry_after=0.1)]) as server:
        ... openai_api_base=server.url ...
    assert server.requests == 2

As a process of its own: `python tests/support/scripted_server.py --port 8000 --answer "The answer is 18"`; what it saw
is told by `GET /stats`.
"""

import argparse
import asyncio
import hashlib
import json
import socket
import ssl
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from aiohttp import web


@dataclass(frozen=True)
class Call:
    """One request as it reached the server."""

    number: int
    """Counted from 0 over all requests for answers."""
    path: str
    body: dict[str, Any]
    key: str | None
    """The bearer token it came with."""
    headers: Mapping[str, str]
    """Names are found in any case."""
    at: float
    """Clock of `time.monotonic`."""

    @property
    def last_user(self) -> str:
        """Text of the last user message."""
        return _last_user(self.body)


@dataclass(frozen=True)
class Turn:
    """What one call gets. The default is the plain answer."""

    text: str | None = None
    """Instead of what the server's answer function says."""
    message: dict[str, Any] = field(default_factory=dict)
    """Fields put over those of the chat message (`content=None`, `reasoning_content=…`, `refusal=…`)."""
    finish_reason: str = "stop"
    status: int = 200
    error: dict[str, Any] | None = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: str | None = None
    """The whole body of the reply."""
    fault: Literal["reset", "hang"] | None = None
    latency: float | None = None


def answered(text: str | None = None, finish_reason: str = "stop", **message: Any) -> Turn:
    """A successful reply, e.g. `answered(None, "length", content=None, reasoning="…")`."""
    return Turn(text=text, finish_reason=finish_reason, message=message)


def failed(
    status: int, code: str | None = None, message: str = "scripted failure", retry_after: float | None = None
) -> Turn:
    """An error reply in OpenAI's form."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    return Turn(
        status=status, error={"message": message, "type": "scripted", "param": None, "code": code}, headers=headers
    )


def raw(body: str, status: int = 200) -> Turn:
    """A reply with exactly this body, sent as JSON."""
    return Turn(raw=body, status=status)


RESET = Turn(fault="reset")
"""The connection is reset before an answer."""
HANG = Turn(fault="hang")
"""No answer ever comes."""

Script = Callable[[Call], Turn | None]


class ScriptedServer:
    """The server on its own thread; a context manager.

    `turns` are served to the first calls in their order; afterwards, or where `decide` returns None, the plain answer.
    """

    def __init__(
        self,
        answer: Callable[[str], str] = lambda question: f"You said: {question}",
        *,
        turns: Sequence[Turn] = (),
        decide: Script | None = None,
        latency: float = 0.0,
        api_key: str | None = None,
        port: int = 0,
        certificate: ssl.SSLContext | None = None,
    ) -> None:
        self.answer = answer
        self.turns = list(turns)
        self.decide = decide
        self.latency = latency
        self.api_key = api_key
        self.port = port
        self.certificate = certificate
        self.calls: list[Call] = []
        self.in_flight = 0
        self.peak = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    @property
    def root(self) -> str:
        return f"{'https' if self.certificate else 'http'}://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """What goes into `openai_api_base`."""
        return f"{self.root}/v1"

    @property
    def requests(self) -> int:
        """How many requests for answers have come."""
        return len(self.calls)

    @property
    def bodies(self) -> Counter[str]:
        """How often each distinct request body came, by its hash."""
        return Counter(body_hash(call.body) for call in self.calls)

    @property
    def questions(self) -> Counter[str]:
        """How often each last user message came."""
        return Counter(call.last_user for call in self.calls)

    def stats(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "peak": self.peak,
            "bodies": self.bodies,
            "questions": self.questions,
        }

    def __enter__(self) -> Self:
        started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(started)), daemon=True)
        self._thread.start()
        if not started.wait(20):
            raise RuntimeError("the scripted server did not start")
        return self

    def __exit__(self, *exc: object) -> None:
        assert self._loop and self._thread
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)

    async def _serve(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._handle)
        app.router.add_post("/v1/responses", self._handle)
        app.router.add_get("/health", _health)
        app.router.add_get("/stats", self._stats)
        runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.port, backlog=4096, ssl_context=self.certificate)
        await site.start()
        self.port = runner.addresses[0][1]
        started.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _stats(self, request: web.Request) -> web.Response:
        return web.json_response(self.stats())

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        call = await self._record(request)
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._reply(request, call, self._turn(call))
        finally:
            self.in_flight -= 1

    async def _record(self, request: web.Request) -> Call:
        body = await request.json()
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        key = token if scheme == "Bearer" else None
        call = Call(len(self.calls), request.path, body, key, request.headers, time.monotonic())
        self.calls.append(call)
        return call

    def _turn(self, call: Call) -> Turn:
        if self.api_key is not None and call.key != self.api_key:
            return failed(401, "invalid_api_key", f"Incorrect API key provided: {call.key}")
        if call.number < len(self.turns):
            return self.turns[call.number]
        return (self.decide and self.decide(call)) or Turn()

    async def _reply(self, request: web.Request, call: Call, turn: Turn) -> web.StreamResponse:
        await asyncio.sleep(self.latency if turn.latency is None else turn.latency)
        if turn.fault == "hang":
            await asyncio.sleep(3600)
        if turn.fault == "reset":
            return _reset(request)
        if turn.raw is not None:
            return web.Response(
                text=turn.raw, status=turn.status, headers=turn.headers, content_type="application/json"
            )
        if turn.error is not None:
            return web.json_response({"error": turn.error}, status=turn.status, headers=turn.headers)
        text = self.answer(call.last_user) if turn.text is None else turn.text
        build = _response if call.path.endswith("/responses") else _chat_completion
        return web.json_response(build(call, turn, text), headers=turn.headers)


def _reset(request: web.Request) -> web.Response:
    transport = request.transport
    if transport is not None:
        raw_socket = transport.get_extra_info("socket")
        raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
    return web.Response()


async def _health(request: web.Request) -> web.Response:
    return web.json_response({"status": "ok"})


def body_hash(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    messages = body.get("messages", body.get("input", []))
    return [{"role": "user", "content": messages}] if isinstance(messages, str) else messages


def _last_user(body: dict[str, Any]) -> str:
    for message in reversed(_messages(body)):
        if message.get("role") == "user":
            return _text(message["content"])
    return ""


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if "text" in part)


def _words(body: dict[str, Any]) -> int:
    return sum(len(_text(message["content"]).split()) for message in _messages(body))


def _chat_completion(call: Call, turn: Turn, text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": None} | turn.message
    count = call.body.get("n") or 1
    prompt, completion = _words(call.body), len(text.split()) * count
    return {
        "id": f"chatcmpl-{call.number}",
        "object": "chat.completion",
        "created": 1,
        "model": call.body.get("model"),
        "choices": [
            {"index": index, "message": message, "logprobs": None, "finish_reason": turn.finish_reason}
            for index in range(count)
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    }


def _response(call: Call, turn: Turn, text: str) -> dict[str, Any]:
    message = {"content": text} | turn.message
    output: list[dict[str, Any]] = []
    if message.get("reasoning"):
        summary = [{"type": "summary_text", "text": message["reasoning"]}]
        output.append({"id": "rs_1", "type": "reasoning", "summary": summary})
    parts: list[dict[str, Any]] = []
    if message.get("refusal"):
        parts = [{"type": "refusal", "refusal": message["refusal"]}]
    elif message["content"] is not None:
        parts = [{"type": "output_text", "text": message["content"], "annotations": []}]
    if parts:
        output.append({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": parts})
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    incomplete = reasons.get(turn.finish_reason)
    prompt, completion = _words(call.body), len(text.split())
    return {
        "id": f"resp_{call.number}",
        "object": "response",
        "created_at": 1,
        "model": call.body.get("model"),
        "status": "incomplete" if incomplete else "completed",
        "error": None,
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "output": output,
        "usage": {
            "input_tokens": prompt,
            "output_tokens": completion,
            "total_tokens": prompt + completion,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


def main() -> None:
    """Serves until it is killed; says its address on standard output."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server that answers by a script.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds per answer")
    parser.add_argument("--api-key", help="refuse every other key")
    parser.add_argument("--answer", help="the answer to everything; default: the question again")
    parser.add_argument("--turns", default="", help="of the first calls, e.g. 429,500,reset,hang,ok")
    options = parser.parse_args()
    faults = {"reset": RESET, "hang": HANG, "ok": Turn()}
    turns = [faults[name] if name in faults else failed(int(name)) for name in options.turns.split(",") if name]
    answer: dict[str, Any] = {} if options.answer is None else {"answer": lambda question: options.answer}
    with ScriptedServer(
        turns=turns, latency=options.latency, api_key=options.api_key, port=options.port, **answer
    ) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
