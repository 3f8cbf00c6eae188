"""What an attempt without an answer means: whether to try again, with which key, or to leave it at that."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from time import time
from typing import Any, cast

from tasks.models.interface import Completion
from tasks.spec.status import Status
from tasks.spec.storage.json_text import parse_json
from tasks.spec.storage.printable import one_line


class FailureKind(StrEnum):
    """Why an attempt failed; only the last three are not worth another attempt with the same key."""

    THROTTLED = "throttled"
    SERVER = "server"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    KEY = "key"
    """This key is not taken, or its quota is used up."""
    REJECTED = "rejected"
    UNABLE = "unable"
    """The service cannot do this for any request."""


class AttemptFailed(Exception):
    """One attempt brought no answer."""

    def __init__(
        self, kind: FailureKind, reason: str, *, retry_after: float | None = None, note: str | None = None
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        """One line, not shortened; may still hold what the service echoed of a key."""
        self.retry_after = retry_after
        """Seconds the service asked to wait."""
        self.note = note

    @property
    def retryable(self) -> bool:
        return self.kind not in (FailureKind.KEY, FailureKind.REJECTED, FailureKind.UNABLE)


@dataclass(frozen=True, slots=True)
class ServiceError:
    """The error object of a reply."""

    message: str
    codes: tuple[str, ...]
    """`code` and `type` of the error and of what it wraps, lower case without separators."""

    def says(self, *words: str) -> bool:
        return any(word in code for code in self.codes for word in words)


_LONGEST_PAGE = 1 << 16
"""Bytes of an error page that are read; messages are shorter still."""
_TOO_MANY = (429, 503, 529)
_RETRYABLE = (408, 409, 425)
_NOTHING_THERE = (404, 405)
_FILTER_CODES = (
    "contentfilter", "contentpolicy", "contentmoderation", "moderationblocked", "responsibleai", "datainspection",
    "sensitivecontent", "policyviolation", "invalidprompt",
)  # fmt: skip
_QUOTA_CODES = ("insufficientquota", "insufficientbalance", "billing", "accountdeactivated", "arrearage")
_QUOTA_WORDS = ("credit balance is too low", "exceeded your current quota, please check your plan")
"""For services whose codes do not tell."""
_CONTEXT_WORDS = (
    "context length",
    "context_length",
    "context size",
    "maximum context",
    "context window",
    "too many tokens",
)


def judge_reply(
    status: int, headers: Mapping[str, str], body: bytes, status_code_mappings: Mapping[int, str]
) -> Completion | AttemptFailed:
    """What a reply with an error status means: a withheld answer (a Completion), or a failed attempt."""
    error = service_error(body)
    reason = f"HTTP {status}: {error.message}" if error.message else f"HTTP {status}"
    if status in status_code_mappings:
        return Completion(Status.FILTERED, (status_code_mappings[status],), error=reason)
    if status < 500 and error.says(*_FILTER_CODES):
        return Completion(Status.FILTERED, finish_reason="content_filter", error=reason)
    if status in (401, 402, 403) or _is_quota_error(error):
        return AttemptFailed(FailureKind.KEY, reason)
    if status in _TOO_MANY:
        return AttemptFailed(FailureKind.THROTTLED, f"rate limited: {reason}", retry_after=retry_after(headers))
    if status in _RETRYABLE or status >= 500:
        return AttemptFailed(FailureKind.SERVER, reason, retry_after=retry_after(headers))
    if status < 400:
        return AttemptFailed(FailureKind.MALFORMED, reason)
    if status in _NOTHING_THERE and "model" not in error.message.lower():
        reason = f"{reason}; is the address of the service right?"
    note = "the service finds the prompt too long" if _is_context_error(error) else None
    return AttemptFailed(FailureKind.REJECTED, reason, note=note)


def service_error(body: bytes) -> ServiceError:
    """The error that a reply's body tells of; the body itself where it is not in the usual form."""
    try:
        data = parse_json(body)
    except ValueError:
        return ServiceError(one_line(body[:_LONGEST_PAGE].decode("utf-8", "replace")), ())
    error = data.get("error", data) if isinstance(data, dict) else data  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if not isinstance(error, dict):
        return ServiceError(one_line(str(error)), ())  # pyright: ignore[reportUnknownArgumentType]
    fields = cast(dict[str, Any], error)
    message = fields.get("message") or fields.get("detail") or ""
    return ServiceError(one_line(str(message)), tuple(_codes(fields)))


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait as the reply's headers say, None if they say nothing; a date counts from now."""
    milliseconds = headers.get("Retry-After-Ms")
    value = headers.get("Retry-After")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        return None if value is None else max(0.0, float(value))
    except ValueError:
        return _until(value)


def _until(date: str | None) -> float | None:
    try:
        return max(0.0, parsedate_to_datetime(date or "").timestamp() - time())
    except ValueError:
        return None


def _codes(error: dict[str, Any]) -> list[str]:
    inner = error.get("innererror")
    values = [error.get("code"), error.get("type")]
    found = ["".join(filter(str.isalnum, value)).lower() for value in values if isinstance(value, str)]
    return found + (_codes(cast(dict[str, Any], inner)) if isinstance(inner, dict) else [])


def _is_quota_error(error: ServiceError) -> bool:
    return error.says(*_QUOTA_CODES) or any(words in error.message.lower() for words in _QUOTA_WORDS)


def _is_context_error(error: ServiceError) -> bool:
    return error.says("contextlength", "exceedcontext") or any(word in error.message.lower() for word in _CONTEXT_WORDS)
