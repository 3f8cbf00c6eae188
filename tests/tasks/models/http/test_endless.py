"""An answer that never ends costs neither the memory nor the time of the run."""

import gzip
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from support.asking import ask, ask_one, chat_model
from support.scripted_server import DRIP, FLOOD, ScriptedServer

from tasks.models.services.openai_service import OpenAIService
from tasks.models.services.openai_stream import OpenAISDKStreaming
from tasks.spec.status import Status

BOMB = gzip.compress(bytes(64 << 20)) * 16
"""A megabyte that unpacks to a gibibyte."""


def _whole(url: str, **arguments: Any) -> OpenAIService:
    return chat_model(url, retry=0, **arguments)


def _streamed(url: str, **arguments: Any) -> OpenAIService:
    return OpenAISDKStreaming(key="EMPTY", openai_api_base=url, max_seq_len=None, retry=0, **arguments)


@pytest.mark.parametrize("model", [_whole, _streamed])
def test_a_reply_has_a_largest_size(model: Any) -> None:
    with ScriptedServer(decide=lambda call: FLOOD if call.last_user == "endless" else None) as server:
        endless, other = ask(model(server.url), "endless", "good")
    assert (endless.status, endless.error) == (Status.ERROR, "the answer has more than 128 MiB")
    assert other.status is Status.OK


@pytest.mark.parametrize("model", [_whole, _streamed])
@pytest.mark.parametrize("status", [200, 500])
def test_a_packed_reply_is_measured_as_it_is_unpacked(model: Any, status: int) -> None:
    with packed_reply(BOMB, status) as url:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        completion = ask_one(model(url), "hi")
    assert (completion.status, completion.error) == (Status.ERROR, "the answer has more than 128 MiB")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 512 << 10


@contextmanager
def packed_reply(body: bytes, status: int) -> Iterator[str]:
    """The address of a server that sends this body, as packed JSON."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            for name, value in {"Type": "application/json", "Encoding": "gzip", "Length": str(len(body))}.items():
                self.send_header(f"Content-{name}", value)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


@pytest.mark.parametrize("model", [_whole, _streamed])
def test_timeout_holds_for_an_answer_that_comes_byte_by_byte(model: Any) -> None:
    with ScriptedServer(turns=[DRIP]) as server:
        (completion,) = ask(model(server.url, timeout=0.5), "hi")
    assert completion.status is Status.ERROR
    assert str(completion.error).endswith("within 0.5 s")
