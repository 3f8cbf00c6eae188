"""A real HTTP server that speaks OpenAI's interfaces, and does on every call what its script says.

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
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

from aiohttp import web

if __name__ == "__main__":  # run as a script, which knows only the folder it lies in
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.event_streams import Events, chat_events, response_events
from support.openai_replies import chat_completion, last_user, response
from support.scored_texts import text_completion


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
    query: str = ""

    @property
    def last_user(self) -> str:
        """Text of the last user message."""
        return last_user(self.body)


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
    fault: Literal["reset", "hang", "flood", "drip"] | None = None
    latency: float | None = None
    until: Callable[[], bool] | None = None
    """The answer waits until this is true."""
    pieces: int = 4
    """In how many pieces a text is streamed."""
    cut: int | None = None
    """The stream breaks off after so many events: it ends, or `fault` happens."""


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
FLOOD = Turn(fault="flood")
"""An answer that never ends, as fast as it can be read."""
DRIP = Turn(fault="drip")
"""An answer that never ends, a byte now and then."""

Script = Callable[[Call], Turn | None]
Build = Callable[[Call, Turn, str], dict[str, Any]]


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
        self._in_flight_by_model: Counter[str] = Counter()
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

    def in_flight_of(self, model: str) -> int:
        """How many requests for this model are being answered."""
        return self._in_flight_by_model[model]

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
        self.stop()
        self.wait_stopped()

    def stop(self) -> None:
        """Closes the port and all connections; the server can be entered again, at the same port."""
        assert self._loop
        with suppress(RuntimeError):  # it was stopped before
            self._loop.call_soon_threadsafe(self._stop.set)

    def wait_stopped(self) -> None:
        """Until the port is closed."""
        assert self._thread
        self._thread.join(20)

    async def _serve(self, started: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        app = web.Application(client_max_size=64 * 2**20)
        for path in self.replies():
            app.router.add_post(path, self._handle)
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

    def replies(self) -> dict[str, Build]:
        """What each path answers with."""
        return {
            "/v1/chat/completions": chat_completion,
            "/v1/responses": response,
            "/v1/completions": text_completion,
        }

    def events(self, call: Call, turn: Turn, reply: dict[str, Any]) -> Events | None:
        """The reply as a stream, if the call asks for one."""
        if not call.body.get("stream"):
            return None
        return (response_events if call.path.endswith("/responses") else chat_events)(call.body, turn.pieces, reply)

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        """The key that a request comes with."""
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        return token if scheme == "Bearer" else None

    async def _stats(self, request: web.Request) -> web.Response:
        return web.json_response(self.stats())

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        call = await self._record(request)
        model = str(call.body.get("model"))
        self.in_flight += 1
        self._in_flight_by_model[model] += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._reply(request, call, self._turn(call))
        finally:
            self.in_flight -= 1
            self._in_flight_by_model[model] -= 1

    async def _record(self, request: web.Request) -> Call:
        body = await request.json()
        key = self.key_of(request.headers)
        call = Call(len(self.calls), request.path, body, key, request.headers, time.monotonic(), request.query_string)
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
        while turn.until is not None and not turn.until():  # noqa: ASYNC110 what it waits for knows no event loop
            await asyncio.sleep(0.01)
        if turn.cut is None and turn.fault is not None:
            return await _fail(request, turn.fault)
        if turn.raw is not None:
            return web.Response(
                text=turn.raw, status=turn.status, headers=turn.headers, content_type="application/json"
            )
        if turn.error is not None:
            return web.json_response({"error": turn.error}, status=turn.status, headers=turn.headers)
        text = self.answer(call.last_user) if turn.text is None else turn.text
        resource = request.match_info.route.resource
        reply = self.replies()[resource.canonical if resource else call.path](call, turn, text)
        events = self.events(call, turn, reply)
        return (
            web.json_response(reply, headers=turn.headers) if events is None else await _stream(request, turn, events)
        )


async def _stream(request: web.Request, turn: Turn, events: Events) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", **turn.headers})
    await response.prepare(request)
    for name, data in events[: turn.cut]:
        head = f"event: {name}\n" if name else ""
        await response.write(f"{head}data: {data}\n\n".encode())
    if turn.cut is not None and turn.fault is not None:
        await asyncio.sleep(0.05)  # what was written must have arrived
        return await _fail(request, turn.fault)
    return response


async def _fail(request: web.Request, fault: str) -> web.Response:
    if fault == "hang":
        await asyncio.sleep(3600)
    if fault in ("flood", "drip"):
        await _never_end(request, b"x" * (1 << 20) if fault == "flood" else b"x", 0.05 if fault == "drip" else 0.0)
    return _reset(request)


async def _never_end(request: web.Request, piece: bytes, pause: float) -> None:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    await response.write(b'{"choices": [{"message": {"content": "')
    while True:
        await response.write(piece)
        await asyncio.sleep(pause)


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


def main() -> None:
    """Serves until it is killed; says its address on standard output."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible server that answers by a script.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds per answer")
    parser.add_argument("--api-key", help="refuse every other key")
    parser.add_argument("--answer", help="the answer to everything; default: the question again")
    parser.add_argument("--turns", default="", help="of the first calls, e.g. 429,500,reset,hang,ok")
    options = parser.parse_args()
    faults = {"reset": RESET, "hang": HANG, "flood": FLOOD, "drip": DRIP, "ok": Turn()}
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
