"""Anthropic's Messages interface, whole and streamed, as its public reference has it."""

import json
from collections.abc import Mapping
from typing import Any

from support.event_streams import Events, cut
from support.scripted_server import Build, Call, ScriptedServer, Turn

_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens"}


class ClaudeServer(ScriptedServer):
    """Asked at `root`; `finish_reason` of a turn is the stop reason, and `reasoning` of its message is thought."""

    def replies(self) -> dict[str, Build]:
        return {"/v1/messages": _message}

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        """Releases of the SDK send it in one header or the other."""
        return headers.get("X-Api-Key") or super().key_of(headers)

    def events(self, call: Call, turn: Turn, reply: dict[str, Any]) -> Events | None:
        if not call.body.get("stream"):
            return None
        started = {**reply, "content": [], "stop_reason": None, "usage": {**reply["usage"], "output_tokens": 1}}
        events: list[dict[str, Any]] = [{"type": "message_start", "message": started}]
        for index, block in enumerate(reply["content"]):
            name = "thinking" if block["type"] == "thinking" else "text"
            events.append({"type": "content_block_start", "index": index, "content_block": {**block, name: ""}})
            events += [
                {"type": "content_block_delta", "index": index, "delta": {"type": f"{name}_delta", name: piece}}
                for piece in cut(block[name], turn.pieces)
            ]
            events.append({"type": "content_block_stop", "index": index})
        delta = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
        usage = {"output_tokens": reply["usage"]["output_tokens"]}
        events += [{"type": "message_delta", "delta": delta, "usage": usage}, {"type": "message_stop"}]
        return [(event["type"], json.dumps(event)) for event in events]


def claude_failed(status: int, kind: str, message: str = "scripted failure", **headers: str) -> Turn:
    """An error reply in Anthropic's form."""
    error = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return Turn(raw=json.dumps(error), status=status, headers=headers)


def _message(call: Call, turn: Turn, text: str) -> dict[str, Any]:
    message = {"content": text, "reasoning": None} | turn.message
    blocks: list[dict[str, Any]] = []
    if message["reasoning"]:
        blocks.append({"type": "thinking", "thinking": message["reasoning"], "signature": "s"})
    if message["content"]:
        blocks.append({"type": "text", "text": message["content"], "citations": None})
    return {
        "id": f"msg_{call.number}",
        "type": "message",
        "role": "assistant",
        "model": call.body["model"],
        "content": blocks,
        "stop_reason": _STOP_REASONS.get(turn.finish_reason, turn.finish_reason),
        "stop_sequence": None,
        "usage": {
            "input_tokens": 10, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 5, "output_tokens": 7,
        },
    }  # fmt: skip
