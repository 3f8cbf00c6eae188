"""The page of a large run, served to browsers on this machine only."""

import gzip
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from urllib.parse import urlsplit

import pytest

from tasks.report.page.page_server import BlockStore, PageServer


@pytest.fixture
def server() -> Iterator[PageServer]:
    store = BlockStore([gzip.compress(b"[1]"), gzip.compress(b"[2, 3]")])
    server = PageServer(b"<title>page</title>", store)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def answer(server: PageServer, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def test_who_knows_the_address_gets_page_and_blocks(server: PageServer):
    path = urlsplit(server.url).path
    response, body = answer(server, path)
    assert response.status == 200 and body == b"<title>page</title>"
    assert response.headers["Cache-Control"] == "no-store" and response.headers["Referrer-Policy"] == "no-referrer"
    response, body = answer(server, f"{path}blocks/1")
    assert response.headers["Content-Encoding"] == "gzip" and gzip.decompress(body) == b"[2, 3]"


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/blocks/0", "/blocks/0", "//", "/%2e%2e/"])
def test_without_the_token_there_is_nothing(server: PageServer, path: str):
    assert answer(server, path)[0].status == 403


@pytest.mark.parametrize("path", ["blocks/2", "blocks/-1", "blocks/x", "../run.json", "blocks/../../x", "etc/passwd"])
def test_with_it_there_is_nothing_but_page_and_blocks(server: PageServer, path: str):
    assert answer(server, urlsplit(server.url).path + path)[0].status == 404


def test_another_site_cannot_ask_through_a_name_of_its_own(server: PageServer):
    path = urlsplit(server.url).path
    assert answer(server, path, Host="evil.example")[0].status == 403
    assert answer(server, path, Host=f"localhost:{server.server_port}")[0].status == 200


def test_it_listens_on_the_loopback_address_alone(server: PageServer):
    assert server.server_address[0] == "127.0.0.1" and len(server.token) >= 32


def test_a_block_is_waited_for_until_it_is_made():
    made = threading.Event()

    def blocks() -> Iterator[bytes]:
        yield b"first"
        assert made.wait(10)
        yield b"second"

    store = BlockStore(blocks())
    assert store.get(0) == b"first"
    found: list[bytes | None] = []
    waiting = threading.Thread(target=lambda: found.append(store.get(1)))
    waiting.start()
    made.set()
    waiting.join(10)
    assert found == [b"second"] and store.get(2) is None
