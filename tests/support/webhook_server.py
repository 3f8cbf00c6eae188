"""A real HTTP server that takes messages as chat services do: well, slowly, wrongly or not at all."""

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

LARK_OK = (200, '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}')
LARK_BAD_SIGNATURE = (200, '{"code":19021,"data":{},"msg":"sign match fail or timestamp is not within one hour"}')
LARK_TOO_FAST = (200, '{"code":11232,"msg":"frequency limited"}')
SLACK_OK = (200, "ok")

Answer = tuple[int, str]


@dataclass
class WebhookServer:
    """Answers every post by `answer`, which gets the number of the post; keeps the bodies."""

    answer: Callable[[int], Answer] = lambda number: LARK_OK
    latency: float = 0.0
    """Seconds before each answer."""
    bodies: list[dict[str, Any]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/open-apis/bot/v2/hook/the-hidden-token"

    @property
    def texts(self) -> list[str]:
        """The bodies as JSON."""
        return [json.dumps(body, ensure_ascii=False) for body in self.bodies]

    def wait(self, count: int, seconds: float = 20) -> None:
        """Until that many posts have come."""
        end = time.monotonic() + seconds
        while len(self.bodies) < count:
            assert time.monotonic() < end, f"{len(self.bodies)} posts came, not {count}"
            time.sleep(0.01)

    def __enter__(self) -> Self:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                owner.bodies.append(json.loads(body))
                status, text = owner.answer(len(owner.bodies) - 1)
                time.sleep(owner.latency)
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(text.encode())))
                    self.end_headers()
                    self.wfile.write(text.encode())
                except OSError:  # the client did not wait
                    return

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class SilentServer:
    """Takes connections and never says a word."""

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/hook/the-hidden-token"
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def unused_url() -> str:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/hook/the-hidden-token"
