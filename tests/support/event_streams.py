"""Streamed forms of replies, as the public references of the interfaces have them."""

import json
from collections.abc import Sequence
from typing import Any

Events = Sequence[tuple[str, str]]
"""Name (empty: none) and data of each server-sent event."""


def chat_events(body: dict[str, Any], pieces: int, reply: dict[str, Any]) -> Events:
    """Chat completion chunks: a first one with the role, the text in pieces, finish reasons, usage if asked for."""
    head = {"id": reply["id"], "object": "chat.completion.chunk", "created": 1, "model": reply["model"]}
    chunks: list[dict[str, Any]] = []
    for choice in reply["choices"]:
        message = choice["message"]
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        for name in ("reasoning_content", "reasoning", "content", "refusal"):
            deltas += [{name: piece} for piece in cut(message.get(name) or "", pieces)]
        chunks += [_chunk(head, choice["index"], delta, None) for delta in deltas]
        chunks.append(_chunk(head, choice["index"], {}, choice["finish_reason"]))
    if (body.get("stream_options") or {}).get("include_usage"):
        chunks.append({**head, "choices": [], "usage": reply["usage"]})
    return [*(("", json.dumps(chunk)) for chunk in chunks), ("", "[DONE]")]


def response_events(body: dict[str, Any], pieces: int, reply: dict[str, Any]) -> Events:
    """Events of the Responses interface: deltas of reasoning and text, and last the whole response."""
    started = {**reply, "status": "in_progress", "output": [], "usage": None}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": started}]
    for index, item in enumerate(reply["output"]):
        place = {"item_id": item["id"], "output_index": index}
        for part in [*item.get("summary", []), *item.get("content", [])]:
            kind = {"summary_text": "reasoning_summary_text"}.get(part["type"], part["type"])
            text = part.get("text") or part.get("refusal") or ""
            events += [{"type": f"response.{kind}.delta", **place, "delta": piece} for piece in cut(text, pieces)]
    events.append({"type": f"response.{reply['status']}", "response": reply})
    return [(event["type"], json.dumps({**event, "sequence_number": number})) for number, event in enumerate(events)]


def cut(text: str, pieces: int) -> list[str]:
    """The text in about so many pieces."""
    size = max(1, -(-len(text) // pieces))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _chunk(head: dict[str, Any], index: int, delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    return {**head, "choices": [{"index": index, "delta": delta, "logprobs": None, "finish_reason": finish}]}
