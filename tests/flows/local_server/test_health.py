import base64
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from flows.local_server.health import check_api, is_up, works
from flows.local_server.prefect_settings import ApiAddress
from tasks.spec.findings import UserError

Answer = tuple[int, str, dict[str, str]]
Serve = Callable[[Callable[[str, str | None], Answer]], ApiAddress]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Serves what a function of path and Authorization header returns: status, body, headers."""
    with ExitStack() as servers:

        def start(answer: Callable[[str, str | None], Answer]) -> ApiAddress:
            class Handler(BaseHTTPRequestHandler):
                def do_GET(self) -> None:
                    status, body, headers = answer(self.path, self.headers["Authorization"])
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body.encode())

                def log_message(self, format: str, *args: object) -> None:
                    pass

            server = servers.enter_context(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            servers.callback(server.shutdown)
            return ApiAddress(f"http://127.0.0.1:{server.server_port}/api", source="environment")

        yield start


def prefect(accepted: str | None) -> Callable[[str, str | None], Answer]:
    """Answers as Prefect does: the health check without a password."""

    def answer(path: str, authorization: str | None) -> Answer:
        if path == "/api/health":
            return 200, "true", {}
        return (200, '"3.9.1"', {}) if authorization == accepted else (401, "{}", {})

    return answer


BASIC = "Basic " + base64.b64encode(b"user:pw").decode()


def test_open_server_is_accepted(serve: Serve) -> None:
    check_api(serve(prefect(None)))


@pytest.mark.parametrize("proxy", ["http_proxy", "HTTP_PROXY"])
def test_no_proxy_is_asked_for_this_machine(proxy: str, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(proxy, "http://127.0.0.1:9")
    check_api(serve(prefect(None)))


def test_password_key_and_user_in_the_address_are_sent(serve: Serve) -> None:
    address = serve(prefect(BASIC))
    check_api(replace(address, auth_string="user:pw", api_key="key"))
    check_api(replace(address, url=address.url.replace("http://", "http://user:pw@")))
    check_api(replace(serve(prefect("Bearer key")), api_key="key"))


@pytest.mark.parametrize("auth_string", [None, "user:wrong"])
def test_refused_credentials_are_told_as_such(auth_string: str | None, serve: Serve) -> None:
    address = replace(serve(prefect(BASIC)), auth_string=auth_string)
    with pytest.raises(UserError, match="refuses the credentials") as caught:
        check_api(address)
    assert "PREFECT_API_AUTH_STRING" in str(caught.value) and "wrong" not in str(caught.value)
    assert not is_up(address)


def test_a_server_that_does_not_answer_is_named_with_the_way_out(serve: Serve) -> None:
    with pytest.raises(UserError) as caught:
        check_api(ApiAddress("http://user:secret@127.0.0.1:9/api", source="profile 'mine' of p.toml"))
    said = str(caught.value)
    assert all(part in said for part in ("http://127.0.0.1:9/api", "profile 'mine' of p.toml", "--inline"))
    assert "secret" not in said


@pytest.mark.parametrize("answer", [(200, "<html>", {}), (404, '{"detail": "Not Found"}', {}), (500, "", {})])
def test_what_is_no_prefect_api_is_told_as_such(answer: Answer, serve: Serve) -> None:
    with pytest.raises(UserError, match="does not answer as a Prefect API"):
        check_api(serve(lambda *_: answer))


def test_a_redirect_does_not_carry_the_password_away(serve: Serve) -> None:
    seen: list[str | None] = []

    def elsewhere(path: str, authorization: str | None) -> Answer:
        seen.append(authorization)
        return 200, "true", {}

    other = serve(elsewhere)
    check_api(replace(serve(lambda path, _: (302, "", {"Location": other.url + path})), auth_string="user:pw"))
    assert seen == [None, None]


def test_a_server_without_its_database_does_not_work_and_one_that_takes_its_time_does(serve: Serve) -> None:
    assert works(serve(prefect(None)))
    assert not works(serve(lambda *_: (503, "{}", {})))
    assert not works(ApiAddress("http://127.0.0.1:9/api"))
    late = threading.Event()
    slow = serve(lambda *_: (late.wait(10), (200, "{}", {}))[1])
    assert works(slow, timeout=0.2)
    late.set()
