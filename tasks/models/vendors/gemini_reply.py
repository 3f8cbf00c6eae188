"""Reads what Gemini's service answers: candidates, blocked prompts, errors in Google's form."""

import re
from collections.abc import Mapping
from typing import Any, cast

from tasks.models.http.answer_status import Choice, Ending, completion_of
from tasks.models.http.failures import AttemptFailed, FailureKind, judge_reply
from tasks.models.http.json_bodies import encode
from tasks.models.interface import Completion, Request, Usage

_WITHHELD = (
    "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR",
)  # fmt: skip
_FAILED = ("OTHER", "MALFORMED_RESPONSE")
_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


class GeminiPieces:
    """What has come of an answer, whole or in a stream."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._thoughts: list[str] = []
        self._finish: str | None = None
        self._blocked: str | None = None
        self._usage = Usage()

    def take(self, reply: Any) -> list[tuple[str, bool]]:
        """Adds one reply of the SDK; returns the texts in it, each with whether it is a thought."""
        if reply.prompt_feedback and reply.prompt_feedback.block_reason:
            self._blocked = _name(reply.prompt_feedback.block_reason)
        if reply.usage_metadata:
            self._usage = _usage(reply.usage_metadata)
        added: list[tuple[str, bool]] = []
        for candidate in reply.candidates or ():
            self._finish = _name(candidate.finish_reason) or self._finish
            for part in (candidate.content.parts if candidate.content else None) or ():
                if part.text:
                    (self._thoughts if part.thought else self._text).append(part.text)
                    added.append((part.text, bool(part.thought)))
        return added

    def completion(self, request: Request, think_tag: str) -> Completion:
        """The answer; AttemptFailed if there is none and nothing says why."""
        text, finish = "".join(self._text), self._blocked or self._finish
        if not text and (finish is None or finish in _FAILED):
            raise AttemptFailed(FailureKind.MALFORMED, f"an empty answer with finish reason {finish}")
        ending: Ending = "length" if finish == "MAX_TOKENS" else "whole"
        if self._blocked or finish in _WITHHELD:
            ending = "filtered"
        reason = f"withheld by the service: {finish}" if ending == "filtered" else None
        choice = Choice(text, ending, finish, "".join(self._thoughts) or None, reason)
        return completion_of([choice], self._usage, request.stop, think_tag)


def verdict_of(status: int, error: Any, mappings: Mapping[int, str]) -> Completion | AttemptFailed:
    """What an error in Google's form means; a quota per day is used up with its key, one per minute is not."""
    details = _details(error)
    body = cast(dict[str, Any], error) if isinstance(error, dict) else {"message": str(error)}
    verdict = judge_reply(status, {}, encode(body), mappings)
    if isinstance(verdict, Completion):
        return verdict
    if any(detail.get("reason") == "API_KEY_INVALID" for detail in details) or _is_used_up(details):
        return AttemptFailed(FailureKind.KEY, verdict.reason)
    delays = [_DELAY.fullmatch(str(detail.get("retryDelay", ""))) for detail in details]
    seconds = [float(delay[1]) for delay in delays if delay]
    if verdict.kind is FailureKind.THROTTLED and seconds:
        return AttemptFailed(FailureKind.THROTTLED, verdict.reason, retry_after=seconds[0])
    return verdict


def _is_used_up(details: list[dict[str, Any]]) -> bool:
    violations = [violation for detail in details for violation in _objects(detail.get("violations"))]
    return any("perday" in str(violation.get("quotaId", "")).lower() for violation in violations)


def _details(error: Any) -> list[dict[str, Any]]:
    inner = cast(dict[str, Any], error).get("error") if isinstance(error, dict) else None
    return _objects(cast(dict[str, Any], inner).get("details")) if isinstance(inner, dict) else []


def _objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects in a list; none where the value is no list."""
    return [item for item in cast(list[Any], value) if isinstance(item, dict)] if isinstance(value, list) else []


def _usage(usage: Any) -> Usage:
    """Thoughts are counted beside the answer's tokens there, and are part of them here."""
    written, thoughts = usage.candidates_token_count, usage.thoughts_token_count
    completion = None if written is None and thoughts is None else (written or 0) + (thoughts or 0)
    return Usage(usage.prompt_token_count, completion, thoughts, usage.cached_content_token_count)


def _name(reason: Any) -> str | None:
    """The name of an enumerated reason; the SDK has plain text for those it does not know."""
    return None if reason is None else str(getattr(reason, "value", reason))
