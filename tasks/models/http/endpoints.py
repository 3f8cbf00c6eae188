"""The addresses a model is asked at, and the back-off state that all who ask there share."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit, urlunsplit

from tasks.models.http.limiter import EndpointLimiter
from tasks.spec.findings import Finding, Place, UserError

_DEAD_AFTER_FAILURES = 10
"""Attempts of one model in a row that brought no answer, before an endpoint counts as gone for it."""


@dataclass(frozen=True)
class Endpoint:
    """One base address, without user info."""

    base: str
    limiter: EndpointLimiter
    authorization: str | None = field(default=None, repr=False)
    """Instead of the key, where the address carries user and password."""

    def url(self, path: str) -> str:
        """The address of `path` below the base; a query of the base stays at the end."""
        base, mark, query = self.base.partition("?")
        return f"{base.rstrip('/')}/{path}{mark}{query}"


class Limiters:
    """The limiters of one process, one for each base address."""

    def __init__(self) -> None:
        self.by_address: dict[str, EndpointLimiter] = {}

    def get(self, address: str) -> EndpointLimiter:
        return self.by_address.setdefault(address.rstrip("/"), EndpointLimiter())


class EndpointPool:
    """The addresses of one model, used in turn."""

    def __init__(self, bases: str | Sequence[str], limiters: Limiters, key: str) -> None:
        """`key` is the argument that holds the addresses, for messages."""
        written = [bases] if isinstance(bases, str) else list(bases)
        if not written:
            raise UserError(
                Finding("the list of addresses is empty", Place(key=key), "write one as http://host:port/v1")
            )
        self._endpoints = [_endpoint(base, limiters, key) for base in written]
        self._next = 0
        self._unanswered = [0] * len(self._endpoints)
        """Attempts of this model in a row that brought no answer, by address; other models may ask there too."""

    def take(self) -> Endpoint:
        """The address of the next attempt."""
        self._next = (self._next + 1) % len(self._endpoints)
        return self._endpoints[self._next - 1]

    def answered(self, endpoint: Endpoint) -> None:
        """Something came back from there, an answer or an error."""
        self._unanswered[self._endpoints.index(endpoint)] = 0

    def unreachable(self, endpoint: Endpoint) -> None:
        """An attempt got no answer: refused, reset, unknown host, or none in time."""
        self._unanswered[self._endpoints.index(endpoint)] += 1

    @property
    def dead(self) -> bool:
        """Whether no address has answered this model for many attempts."""
        return min(self._unanswered) >= _DEAD_AFTER_FAILURES


def _endpoint(base: str, limiters: Limiters, key: str) -> Endpoint:
    parts = _parts(base)
    if parts is None:
        remedy = "write it as http://host:port/v1"
        shown = str(base).partition("?")[0].rpartition("@")[2]
        raise UserError(Finding(f"the address of the service, {shown!r}, is no URL", Place(key=key), remedy))
    user_info, at, host = parts.netloc.rpartition("@")
    address = urlunsplit(parts._replace(netloc=host))
    basic = base64.b64encode(unquote(user_info).encode()).decode()
    return Endpoint(address, limiters.get(address), f"Basic {basic}" if at else None)


def _parts(base: object) -> SplitResult | None:
    """None for what nothing can be asked at; a configuration may have anything there."""
    if not isinstance(base, str):
        return None
    try:
        parts = urlsplit(base)
        host, _port = parts.hostname, parts.port
    except ValueError:  # an unfinished IPv6 address, a port that is not a number
        return None
    return parts if host and parts.scheme in ("http", "https") else None
