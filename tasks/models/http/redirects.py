"""Redirects are followed on the host that was asked alone: keys, headers and prompts are meant for no other.

The libraries' own rule is to drop the header `Authorization`; vendors' keys come in others.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urljoin, urlsplit

from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.spec.storage.printable import one_line

if TYPE_CHECKING:
    import aiohttp

_PORTS = {"http": 80, "https": 443}


def next_address(asked: str, status: int, headers: Mapping[str, str]) -> str | None:
    """Where a reply sends the same request; None if nowhere. AttemptFailed for any address of another origin."""
    location = headers.get("Location") if 300 <= status < 400 else None
    if location is None:
        return None
    _check(asked, location)
    return urljoin(asked, location) if status in (307, 308) else None


def on_one_host() -> "aiohttp.TraceConfig":
    """For a session of aiohttp, whose requests then raise AttemptFailed where they are sent to another origin."""
    import aiohttp

    trace = aiohttp.TraceConfig()
    trace.on_request_redirect.append(_on_redirect)
    return trace


async def check_response(response: Any) -> None:
    """For `event_hooks["response"]` of a client of httpx: AttemptFailed where the reply leads to another origin."""
    if response.has_redirect_location:
        _check(str(response.url), response.headers["Location"])


async def _on_redirect(_session: Any, _context: Any, redirect: "aiohttp.TraceRequestRedirectParams") -> None:
    location = redirect.response.headers.get("Location") or redirect.response.headers.get("URI") or ""
    try:
        _check(str(redirect.url), location)
    except AttemptFailed:
        redirect.response.close()
        raise


def _check(asked: str, location: str) -> None:
    try:
        there = urlsplit(urljoin(asked, location))
        same = _origin(there) == _origin(urlsplit(asked))
    except ValueError:
        raise AttemptFailed(FailureKind.MALFORMED, "the service sends requests to what is no address") from None
    if not same:
        origin = f"{there.scheme}://{there.netloc.rpartition('@')[2]}"
        raise AttemptFailed(
            FailureKind.REJECTED,
            f"the service sends requests to {one_line(origin)}; keys do not follow: write that address if it is right",
        )


def _origin(address: SplitResult) -> tuple[str, str | None, int | None]:
    return address.scheme, address.hostname, address.port or _PORTS.get(address.scheme)
