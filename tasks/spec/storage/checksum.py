"""A checksum as the last member of a JSON object, by which a reader of our own files notices that they were damaged."""

from zlib import crc32

_MARK = b',"crc32":"'
_END = b'"}'
_LENGTH = len(_MARK) + 8 + len(_END)


class DamagedError(ValueError):
    """What was read is not what was written."""


def sealed(data: bytes) -> bytes:
    """The JSON object, which has members and ends with its brace, with its CRC-32."""
    return b"%b%b%08x%b" % (data[:-1], _MARK, crc32(data), _END)


def has_seal(data: bytes) -> bool:
    """Whether the object ends with a checksum, right or wrong."""
    return data[-_LENGTH : len(_MARK) - _LENGTH] == _MARK and data.endswith(_END)


def opened(data: bytes) -> bytes:
    """The object as it was before it was sealed, or as it is if it never was; DamagedError if its checksum is wrong."""
    if not has_seal(data):
        return data
    content = data[:-_LENGTH] + b"}"
    if data[-len(_END) - 8 : -len(_END)] != b"%08x" % crc32(content):
        raise DamagedError("its checksum is wrong: it is not what was written")
    return content
