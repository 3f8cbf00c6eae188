"""Serves the page of a run to browsers on this machine, its samples block by block: for runs too large for one file."""

import secrets
import tempfile
import threading
from array import array
from collections.abc import Iterable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

_LOOPBACK = "127.0.0.1"


class BlockStore:
    """Blocks in an unnamed file, which a thread fills while they are asked for already."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._file = tempfile.TemporaryFile(prefix="compass-")  # noqa: SIM115 open as long as this object lives
        self._ends = array("Q", [0])
        self._complete = False
        self._changed = threading.Condition()
        threading.Thread(target=self._fill, args=(blocks,), name="blocks", daemon=True).start()

    def get(self, number: int) -> bytes | None:
        """The block of that number from 0 on, as soon as it is there; None if there is none."""
        with self._changed:
            self._changed.wait_for(lambda: self._complete or len(self._ends) > number + 1)
            if not 0 <= number < len(self._ends) - 1:
                return None
            self._file.seek(self._ends[number])
            return self._file.read(self._ends[number + 1] - self._ends[number])

    def _fill(self, blocks: Iterable[bytes]) -> None:
        try:
            for block in blocks:
                with self._changed:
                    self._file.seek(self._ends[-1])
                    self._file.write(block)
                    self._ends.append(self._ends[-1] + len(block))
                    self._changed.notify_all()
        finally:
            with self._changed:
                self._complete = True
                self._changed.notify_all()


class PageServer(ThreadingHTTPServer):
    """Answers on the loopback address, below a path that is hard to guess; reads no file by a name it is given."""

    daemon_threads = True

    def __init__(self, page: bytes, store: BlockStore, port: int = 0) -> None:
        """Port 0 takes a free one; OSError if the port is taken."""
        super().__init__((_LOOPBACK, port), _Handler)
        self.page = page
        self.store = store
        self.token = secrets.token_urlsafe(24)

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{_LOOPBACK}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        token, _, path = self.path.removeprefix("/").partition("/")
        # Another site may make a browser ask this address, but not under its own name.
        hosts = (f"{_LOOPBACK}:{self.server.server_port}", f"localhost:{self.server.server_port}")
        if self.headers.get("Host") not in hosts or not secrets.compare_digest(
            token.encode(), self.server.token.encode()
        ):
            self._answer(HTTPStatus.FORBIDDEN, b"The address is incomplete.\n", "text/plain; charset=utf-8")
        elif path == "":
            self._answer(HTTPStatus.OK, self.server.page, "text/html; charset=utf-8")
        elif path.startswith("blocks/") and (number := path.removeprefix("blocks/")).isdecimal():
            self._answer_block(int(number))
        else:
            self._answer(HTTPStatus.NOT_FOUND, b"There is nothing here.\n", "text/plain; charset=utf-8")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the address holds the token."""

    def _answer_block(self, number: int) -> None:
        block = self.server.store.get(number)
        if block is None:
            self._answer(HTTPStatus.NOT_FOUND, b"There is no such block.\n", "text/plain; charset=utf-8")
        else:
            self._answer(HTTPStatus.OK, block, "application/json", encoding="gzip")

    def _answer(self, status: HTTPStatus, body: bytes, kind: str, encoding: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Content-Security-Policy", "frame-ancestors 'none'")
        self.end_headers()
        self.wfile.write(body)
