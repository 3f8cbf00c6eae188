"""Plain HTTP to a Prefect API: does it answer, does it accept our password. Nothing here imports Prefect."""

import base64
import http.client
import json
import urllib.error
import urllib.request
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from flows.local_server.prefect_settings import ApiAddress
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.json_text import parse_json

_INLINE = "or run with --inline, which needs no server"


class Reply(NamedTuple):
    """An HTTP status and its JSON body; None if the body is none."""

    status: int
    body: Any


def call(address: ApiAddress, path: str, body: Any = None, timeout: float = 10) -> Reply:
    """GET, or POST if there is a body. OSError if nothing answers; any status is a reply."""
    request = urllib.request.Request(address.shown_url + path)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    for name, value in address.headers.items():
        request.add_unredirected_header(name, value)
    if authorization := _authorization(address):
        request.add_unredirected_header("Authorization", authorization)
    try:
        with _opener(address).open(request, timeout=timeout) as response:
            return Reply(response.status, _json(response.read()))
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, _json(error.read()))
    except http.client.HTTPException as error:
        raise ConnectionError(f"not HTTP: {error!r}") from error


def is_up(address: ApiAddress, timeout: float = 10) -> bool:
    """Whether a Prefect API answers there and accepts the credentials."""
    try:
        return call(address, "/admin/version", timeout=timeout).status == 200
    except OSError:
        return False


def works(address: ApiAddress, timeout: float = 10) -> bool:
    """Whether a Prefect API answers there and reaches its database, or only takes its time."""
    try:
        return call(address, "/ready", timeout=timeout).status < 500
    except OSError as error:
        return isinstance(getattr(error, "reason", error), TimeoutError)


def check_api(address: ApiAddress, timeout: float = 10) -> None:
    """UserError, with what to do, unless a Prefect API answers there in time (seconds) and accepts the credentials."""
    try:
        health = call(address, "/health", timeout=timeout)
        # A Prefect server answers its health check without a password.
        version = call(address, "/admin/version", timeout=timeout)
    except OSError as error:
        reason = getattr(error, "reason", None) or error
        raise _unusable(
            address, f"does not answer: {reason}", f"start that server, unset the address, {_INLINE}"
        ) from error
    if {health.status, version.status} & {401, 403}:
        remedy = f"set PREFECT_API_AUTH_STRING (user:password) or PREFECT_API_KEY, {_INLINE}"
        raise _unusable(address, f"refuses the credentials (HTTP {version.status})", remedy)
    if health.status != 200 or health.body is None:
        remedy = f"the address of a Prefect server ends in /api; correct it, {_INLINE}"
        raise _unusable(address, f"does not answer as a Prefect API (HTTP {health.status})", remedy)


def _unusable(address: ApiAddress, what: str, remedy: str) -> UserError:
    place = Place(address.source, key="PREFECT_API_URL")
    return UserError(Finding(f"the Prefect server {address.shown_url} {what}", place, remedy))


def _authorization(address: ApiAddress) -> str | None:
    parts = urlsplit(address.url)
    in_url = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}" if "@" in parts.netloc else None
    if basic := address.auth_string or (None if address.api_key else in_url):
        return "Basic " + base64.b64encode(basic.encode()).decode()
    return f"Bearer {address.api_key}" if address.api_key else None


def _opener(address: ApiAddress) -> urllib.request.OpenerDirector:
    parts = urlsplit(address.url)
    handlers: list[urllib.request.BaseHandler] = []
    if parts.hostname in ("127.0.0.1", "::1", "localhost"):
        handlers.append(urllib.request.ProxyHandler({}))
    if parts.scheme == "https":
        handlers.append(urllib.request.HTTPSHandler(context=_tls(address)))
    return urllib.request.build_opener(*handlers)


def _tls(address: ApiAddress) -> Any:
    import ssl

    import certifi

    context = ssl.create_default_context(cafile=address.ssl_cert_file or certifi.where())
    if not address.verify_tls:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _json(body: bytes) -> Any:
    try:
        return parse_json(body)
    except ValueError:
        return None
