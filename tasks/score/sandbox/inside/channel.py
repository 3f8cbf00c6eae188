"""Messages over a socket: eight bytes of length, then the message."""

import select
import struct
from os import read, write

_LENGTH = struct.Struct("<Q")
LARGEST = 32 << 20
"""Bytes of a message."""


class Ended(Exception):
    """The other side has closed the channel."""


class TooLarge(Exception):
    """The message is larger than any may be."""


def send(channel: int, message: bytes | bytearray) -> None:
    """Raises Ended or TooLarge."""
    if len(message) > LARGEST:
        raise TooLarge(f"a value has more than {LARGEST >> 20} MiB")
    rest = memoryview(_LENGTH.pack(len(message)) + message)
    try:
        while rest:
            rest = rest[write(channel, rest) :]
    except (BrokenPipeError, ConnectionResetError):
        raise Ended from None


def receive(channel: int) -> bytes:
    """Raises Ended or TooLarge."""
    (length,) = _LENGTH.unpack(_exactly(channel, _LENGTH.size))
    if length > LARGEST:
        raise TooLarge(f"a value has more than {LARGEST >> 20} MiB")
    return _exactly(channel, length)


def is_silent(channel: int) -> bool:
    """Whether nothing waits to be read."""
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    return not any(events & select.POLLIN and not events & select.POLLHUP for _, events in poll.poll(0))


def _exactly(channel: int, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        try:
            part = read(channel, min(size - len(parts), 1 << 20))
        except ConnectionResetError:
            part = b""
        if not part:
            raise Ended
        parts += part
    return bytes(parts)
