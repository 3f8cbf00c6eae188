"""Puts an answer of the Responses interface together from the events of its stream."""

from collections import defaultdict
from typing import Any

from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.streaming import Receiver, Told

_LAST = ("response.completed", "response.incomplete", "response.failed")
_TEXT, _REFUSAL = "response.output_text", "response.refusal"
_REASONING, _SUMMARY = "response.reasoning_text", "response.reasoning_summary_text"
_PIECES = {f"{kind}.delta": kind for kind in (_TEXT, _REFUSAL, _REASONING, _SUMMARY)}


class ResponsePieces(Receiver):
    """What has come of an answer; `told` hears of every piece of text."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._texts: defaultdict[str, list[str]] = defaultdict(list)
        self._response: dict[str, Any] | None = None

    def take(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind in _LAST:
            self._response = event.get("response")
        elif kind in _PIECES and isinstance(event.get("delta"), str):
            self._texts[_PIECES[kind]].append(event["delta"])
            self._told(event["delta"], is_reasoning=_PIECES[kind] in (_REASONING, _SUMMARY))

    def end(self) -> None:
        """The last event says more than the end."""

    def reply(self) -> dict[str, Any]:
        """The response that the last event carries; AttemptFailed if that never came.

        Some services leave its output empty: then it is made of the pieces.
        """
        if not isinstance(self._response, dict):
            raise AttemptFailed(FailureKind.MALFORMED, "the stream ended before the response was complete")
        if self._response.get("output"):
            return self._response
        return {**self._response, "output": self._output()}

    def _output(self) -> list[dict[str, Any]]:
        reasoning = "".join(self._texts[_REASONING] or self._texts[_SUMMARY])
        text, refusal = "".join(self._texts[_TEXT]), "".join(self._texts[_REFUSAL])
        parts = [{"type": "output_text", "text": text}] if text else []
        parts += [{"type": "refusal", "refusal": refusal}] if refusal else []
        thought = {"type": "reasoning", "content": [{"type": "reasoning_text", "text": reasoning}]}
        return [*([thought] if reasoning else []), {"type": "message", "content": parts}]
