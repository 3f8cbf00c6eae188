"""What a service sends is not trusted: whatever it is, it costs an attempt, and only what has its form goes on."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.interface import Completion, Usage

_log = logging.getLogger(__name__)
_UNKNOWN_FORM = (
    LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError,
    AssertionError,  # of vendors' SDKs
)  # fmt: skip


@contextmanager
def reading() -> Generator[None]:
    """AttemptFailed for whatever the code inside stumbles over in a reply."""
    try:
        yield
    except _UNKNOWN_FORM as error:
        _log.debug("a reply in an unknown form", exc_info=True)
        raise AttemptFailed(
            FailureKind.MALFORMED, f"the answer is in an unknown form ({type(error).__name__})"
        ) from error


def sound(completion: Completion) -> Completion:
    """The Completion with texts that are texts and counts that are counts; TypeError for an answer that is no text."""
    texts: tuple[Any, ...] = completion.texts
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("an answer is no text")
    return replace(
        completion,
        finish_reason=_text(completion.finish_reason),
        reasoning=_text(completion.reasoning),
        usage=_usage(completion.usage),
        error=_text(completion.error),
    )


def _text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else str(value)


def _usage(usage: Usage) -> Usage:
    counts = (usage.prompt_tokens, usage.completion_tokens, usage.reasoning_tokens, usage.cached_tokens)
    return usage if all(map(_is_count, counts)) else Usage(*(count if _is_count(count) else None for count in counts))


def _is_count(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63)
