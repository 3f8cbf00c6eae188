"""Sends requests and receives replies, whole or as they come, on aiohttp alone.

The openai SDK costs four times the CPU of aiohttp per request, which at 64 requests in flight shows as idle time of
the service; `tests/tasks/models/services/test_sdk_contract.py` checks that requests and failures equal the SDK's.
"""

import os
import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.options import HttpOptions, proxy_for
from tasks.models.http.redirects import next_address

if TYPE_CHECKING:
    import aiohttp

_CONNECT_SECONDS = 30.0
_KEEP_ALIVE_SECONDS = 4.0
"""Less than what common servers allow (uvicorn: 5), so that no request meets a connection being closed."""
_DNS_SECONDS = 60
LONGEST_REPLY = 128 << 20
"""Bytes; far beyond any answer, with log-probabilities too."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole HTTP reply of any status."""

    status: int
    headers: Mapping[str, str]
    """Names are found in any case."""
    body: bytes


class Wire:
    """The connections of one model; opened with the first request, on the loop that sends it."""

    def __init__(self, options: HttpOptions, timeout: float | None) -> None:
        self._options = options
        self._timeout = timeout
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[str, str | None] = {}
        self._request_timeout: aiohttp.ClientTimeout | None = None

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """The whole reply to `body`, sent as JSON; AttemptFailed if none came within the model's `timeout`."""
        async with self.open(url, body, headers) as response:
            return Reply(response.status, response.headers, await whole_body(response))

    @asynccontextmanager
    async def open(
        self, url: str, body: bytes, headers: Mapping[str, str]
    ) -> "AsyncGenerator[aiohttp.ClientResponse, None]":
        """The reply whose body is still to be read, inside; the model's `timeout` holds until its end.

        AttemptFailed if it fails, while it is read too. Messages name the host, never the whole address, which may
        hold a secret.
        """
        import aiohttp

        session = self._session or self._open(url)
        request: Any = {
            "data": body, "headers": headers, "timeout": self._request_timeout, "allow_redirects": False
        }  # fmt: skip
        try:
            async with session.post(url, proxy=self._proxy(url), **request) as response:
                elsewhere = next_address(url, response.status, response.headers)
                if elsewhere is None:
                    yield response
                    return
            async with session.post(elsewhere, proxy=self._proxy(elsewhere), **request) as response:
                yield response
        except TimeoutError:
            raise AttemptFailed(
                FailureKind.TIMEOUT, f"no answer from {_host(url)} within {self._timeout:g} s"
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            raise lost_connection(error, url) from None

    async def close(self) -> None:
        """Closes all connections; a later request opens new ones."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self, url: str) -> "aiohttp.ClientSession":
        import aiohttp

        connect = _CONNECT_SECONDS if self._timeout is None else min(self._timeout, _CONNECT_SECONDS)
        self._request_timeout = aiohttp.ClientTimeout(total=self._timeout, sock_connect=connect)
        connector = aiohttp.TCPConnector(
            limit=0, keepalive_timeout=_KEEP_ALIVE_SECONDS, ttl_dns_cache=_DNS_SECONDS, ssl=_ssl(url, self._options)
        )
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "compass"}
        self._session = aiohttp.ClientSession(
            connector=connector, headers=headers | dict(self._options.headers), cookie_jar=aiohttp.DummyCookieJar()
        )
        return self._session

    def _proxy(self, url: str) -> str | None:
        if url not in self._proxies:
            self._proxies[url] = proxy_for(url, self._options)
        return self._proxies[url]


async def whole_body(response: "aiohttp.ClientResponse") -> bytes:
    """The body of a reply; AttemptFailed if it has more than `LONGEST_REPLY` bytes."""
    length = response.content_length
    if length is not None and length <= LONGEST_REPLY and "Content-Encoding" not in response.headers:
        return await response.read()
    return b"".join([piece async for piece in body_pieces(response)])


async def body_pieces(response: "aiohttp.ClientResponse") -> AsyncGenerator[bytes, None]:
    """The body of a reply as it arrives; AttemptFailed at more than `LONGEST_REPLY` bytes, or an endless one would
    take all memory.
    """
    size = 0
    async for piece in response.content.iter_any():
        size += len(piece)
        if size > LONGEST_REPLY:
            raise AttemptFailed(FailureKind.MALFORMED, f"the answer has more than {LONGEST_REPLY >> 20} MiB")
        yield piece


def lost_connection(error: Exception, url: str) -> AttemptFailed:
    """What an error of aiohttp or of the system means; the host is named, never the whole address."""
    return AttemptFailed(FailureKind.CONNECTION, f"{_what(error)} ({_host(url)})")


def _ssl(url: str, options: HttpOptions) -> ssl.SSLContext | bool:
    """Authorities of the system and, for machines without any, those of certifi."""
    if not url.startswith("https:") or (options.verify is False and options.cert is None):
        return False
    context = ssl.create_default_context(cafile=options.verify if isinstance(options.verify, str) else None)
    if options.verify is True:
        import certifi

        context.load_verify_locations(certifi.where())
    if options.verify is False:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if options.cert is not None:
        context.load_cert_chain(*((options.cert,) if isinstance(options.cert, str) else options.cert))
    return context


def _reason(error: OSError) -> str:
    """The system's words; those of asyncio repeat the address."""
    return os.strerror(error.errno) if error.errno else type(error).__name__


def _host(url: str) -> str:
    return urlsplit(url).netloc.rpartition("@")[2]


def _what(error: Any) -> str:
    """What went wrong, without addresses."""
    import aiohttp

    match error:
        case aiohttp.ClientProxyConnectionError():
            return f"the proxy cannot be reached: {_reason(error.os_error)}"
        case aiohttp.ClientHttpProxyError():
            return f"the proxy answered with status {error.status}"
        case aiohttp.ClientConnectorDNSError():
            return "unknown host"
        case aiohttp.ClientConnectorCertificateError():
            return f"certificate not accepted: {error.certificate_error}"
        case aiohttp.ClientConnectorError():
            return f"cannot connect: {_reason(error.os_error)}"
        case aiohttp.ServerDisconnectedError():
            return "the connection was closed before an answer"
        case aiohttp.ClientPayloadError():
            return "the answer broke off"
        case OSError():
            return f"the connection failed: {_reason(error)}"
        case _:
            return f"the connection failed: {type(error).__name__}"
