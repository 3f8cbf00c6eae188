"""Reads a reply that arrives piece by piece."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

from tasks.models.http.client import body_pieces, whole_body
from tasks.models.http.event_stream import EventStream
from tasks.models.http.failures import AttemptFailed, judge_reply
from tasks.models.http.json_bodies import decode, encode
from tasks.models.interface import Completion

if TYPE_CHECKING:
    import aiohttp

_UNNAMED_FAULT = 502
"""Status that an error inside a stream counts as where it names none."""


class Told(Protocol):
    """Hears of every piece of text."""

    def __call__(self, text: str, /, *, is_reasoning: bool = False) -> None: ...


class Receiver(Protocol):
    """Puts an answer together."""

    def take(self, event: dict[str, Any]) -> None:
        """One event of the stream."""
        ...

    def end(self) -> None:
        """The service has said that nothing follows."""
        ...


async def receive(
    response: "aiohttp.ClientResponse", mappings: Mapping[int, str], receiver: Receiver
) -> Completion | None:
    """Hands the events to the receiver; a Completion if the service withholds the answer instead.

    AttemptFailed for a reply with an error status, and for an error that the service sends within the stream.
    """
    if response.status != 200:
        return _verdict(response.status, response.headers, await whole_body(response), mappings)
    stream = EventStream()
    async for received in body_pieces(response):
        if withheld := _take_all(stream.feed(received), mappings, receiver):
            return withheld
    if withheld := _take_all(stream.close(), mappings, receiver):
        return withheld
    if stream.done:
        receiver.end()
    return None


def _take_all(events: Iterable[bytes], mappings: Mapping[int, str], receiver: Receiver) -> Completion | None:
    for data in events:
        event = decode(data)
        if not isinstance(event, dict):
            continue
        fields = cast(dict[str, Any], event)
        if fields.get("error") or fields.get("type") == "error":
            return _verdict(_status(fields), {}, encode(fields), mappings)
        receiver.take(fields)
    return None


def _status(event: dict[str, Any]) -> int:
    """The HTTP status that an error within a stream stands for: some services write it as its code."""
    error = event.get("error")
    code = cast(dict[str, Any], error).get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and 400 <= code < 600 else _UNNAMED_FAULT


def _verdict(status: int, headers: Mapping[str, str], body: bytes, mappings: Mapping[int, str]) -> Completion:
    verdict = judge_reply(status, headers, body, mappings)
    if isinstance(verdict, AttemptFailed):
        raise verdict
    return verdict
