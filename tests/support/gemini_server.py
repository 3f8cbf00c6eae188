"""Google's Gemini interface, whole and streamed, as its public reference has it."""

import json
import re
from collections.abc import Mapping
from typing import Any

from support.event_streams import Events, cut
from support.scripted_server import Build, Call, ScriptedServer, Turn

_FINISH_REASONS = {"stop": "STOP", "length": "MAX_TOKENS"}


class GeminiServer(ScriptedServer):
    """Asked at `root`; `reasoning` of a turn's message is thought, `blocked` why the prompt was not answered."""

    def replies(self) -> dict[str, Build]:
        """Under the versions that releases of the SDK ask for."""
        calls = [f"models/{{model}}:{name}" for name in ("generateContent", "streamGenerateContent")]
        return {f"/{version}/{call}": _reply for version in ("v1", "v1beta") for call in calls}

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        return headers.get("X-Goog-Api-Key")

    def events(self, call: Call, turn: Turn, reply: dict[str, Any]) -> Events | None:
        if not call.path.endswith(":streamGenerateContent"):
            return None
        if "candidates" not in reply:
            return [("", json.dumps(reply))]
        (candidate,) = reply["candidates"]
        parts = [
            part | {"text": piece} for part in candidate["content"]["parts"] for piece in cut(part["text"], turn.pieces)
        ]
        pieces = [{"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}]} for part in parts]
        last = {**reply, "candidates": [{**candidate, "content": {"role": "model", "parts": [{"text": ""}]}}]}
        return [("", json.dumps(piece)) for piece in [*pieces, last]]


def camel_case(value: Any) -> Any:
    """The request in one spelling: Google's JSON takes names in both, and the SDK mixes them."""
    if isinstance(value, list):
        return [camel_case(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {re.sub(r"_(.)", lambda match: match[1].upper(), name): camel_case(item) for name, item in value.items()}


def gemini_failed(status: int, name: str, message: str = "scripted failure", *details: dict[str, Any]) -> Turn:
    """An error reply in Google's form."""
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return Turn(raw=json.dumps({"error": error}), status=status)


def _reply(call: Call, turn: Turn, text: str) -> dict[str, Any]:
    message = {"content": text, "reasoning": None, "blocked": None} | turn.message
    usage = {
        "promptTokenCount": 10, "candidatesTokenCount": 7, "thoughtsTokenCount": 4, "cachedContentTokenCount": 3,
        "totalTokenCount": 21,
    }  # fmt: skip
    if message["blocked"]:
        return {"promptFeedback": {"blockReason": message["blocked"]}, "usageMetadata": {"promptTokenCount": 10}}
    parts = [{"text": message["reasoning"], "thought": True}] if message["reasoning"] else []
    parts += [{"text": message["content"]}] if message["content"] else []
    finish = _FINISH_REASONS.get(turn.finish_reason, turn.finish_reason)
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m"}
