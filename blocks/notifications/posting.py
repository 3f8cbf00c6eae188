"""Posting to a web address once: a bounded answer, or an error that names no secret."""

import re
import urllib.error
import urllib.request
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from blocks.notifications.message import Message, one_line

TIMEOUT_S = 10.0
_LONGEST_ANSWER = 64 * 1024
_LONGEST_REASON = 200
_LOOPBACK = re.compile(r"localhost|127\.[\d.]+|::1")


class PostError(Exception):
    """A message that was not accepted; the text names neither address nor secret."""

    def __init__(self, reason: str, *, temporary: bool) -> None:
        super().__init__(reason)
        self.temporary = temporary
        """Whether trying again may help."""


class Target(Protocol):
    """Where messages go."""

    @property
    def name(self) -> str:
        """How it is named to people, without any secret."""
        ...

    def post(self, message: Message, timeout: float = TIMEOUT_S) -> None:
        """Posts once; PostError if it was not accepted. `timeout` bounds each wait for the network, in seconds."""
        ...


class Answer(NamedTuple):
    """What a server said."""

    status: int
    body: str


def check_status(answer: Answer, secrets: tuple[str, ...]) -> None:
    """PostError for every status but 200, temporary for those that pass."""
    if answer.status != 200:
        temporary = answer.status in (408, 425, 429) or answer.status >= 500
        raise PostError(reason(f"HTTP {answer.status} {answer.body}", secrets), temporary=temporary)


def reason(text: str, secrets: tuple[str, ...]) -> str:
    """One short line in which no secret stands; what a server says may repeat its own address."""
    for secret in filter(None, secrets):
        text = text.replace(secret, "***")
    return one_line(text, _LONGEST_REASON)


def post_json(url: str, body: bytes, timeout: float) -> Answer:
    """The server's answer of whatever status; PostError if there was none."""
    request = urllib.request.Request(url, body, {"Content-Type": "application/json; charset=utf-8"}, method="POST")
    try:
        with opener(url).open(request, timeout=timeout) as response:
            return Answer(response.status, _text(response.read(_LONGEST_ANSWER)))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, "")
    except (OSError, ValueError, EOFError) as error:
        raise unreachable(error) from None
    except Exception as error:  # noqa: BLE001  # http.client's errors have many kinds, whose texts may hold the address
        raise PostError(f"no valid answer ({type(error).__name__})", temporary=True) from None


def unreachable(error: BaseException) -> PostError:
    """What to say when a server could not be asked; texts of such errors may hold the address."""
    cause = getattr(error, "reason", error)
    cause = cause if isinstance(cause, BaseException) else error
    text = getattr(cause, "strerror", None) or type(cause).__name__
    return PostError(f"no answer ({text})", temporary=not isinstance(error, ValueError))


def opener(url: str) -> urllib.request.OpenerDirector:
    """Goes through the proxies of the environment, but never to this machine."""
    return (
        urllib.request.build_opener(urllib.request.ProxyHandler({}))
        if is_direct(url)
        else urllib.request.build_opener()
    )


def is_direct(url: str) -> bool:
    """Whether no proxy stands between here and the address."""
    host = urlsplit(url).hostname or ""
    return bool(_LOOPBACK.fullmatch(host) or urllib.request.proxy_bypass(host))


def host_of(url: str) -> str:
    """The part of a webhook's address that is no secret."""
    return urlsplit(url).hostname or "?"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
