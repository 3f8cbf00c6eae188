"""JSON out to a service and back: bodies that hold any text, and what a whole reply means."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from tasks.models.http.client import Reply
from tasks.models.http.failures import AttemptFailed, FailureKind, judge_reply
from tasks.models.interface import Completion
from tasks.spec.storage.json_text import parse_json


def encode(body: Mapping[str, Any]) -> bytes:
    """The body as JSON."""
    try:
        return orjson.dumps(body)
    except TypeError:  # lone surrogates, which only escapes can hold
        return json.dumps(body).encode("ascii")


def decode(body: bytes) -> Any:
    """The JSON value of a reply's body; AttemptFailed if it is none."""
    try:
        return parse_json(body)
    except ValueError:
        raise AttemptFailed(FailureKind.MALFORMED, "the answer is not JSON") from None


def answer_of(reply: Reply, mappings: Mapping[int, str], read: Callable[[Any], Completion]) -> Completion:
    """What `read` finds in a reply with status 200; of another status, a withheld answer or AttemptFailed."""
    if reply.status == 200:
        return read(decode(reply.body))
    verdict = judge_reply(reply.status, reply.headers, reply.body, mappings)
    if isinstance(verdict, AttemptFailed):
        raise verdict
    return verdict
