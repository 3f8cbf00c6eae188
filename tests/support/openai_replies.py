"""What OpenAI's interfaces answer with, as their public reference has it; tokens are counted as words."""

from typing import Any


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The messages of any interface's request."""
    if "contents" in body:
        return [{"role": content["role"], "content": content["parts"]} for content in body["contents"]]
    messages = body.get("messages", body.get("input", body.get("prompt", [])))
    return [{"role": "user", "content": messages}] if isinstance(messages, str) else messages


def last_user(body: dict[str, Any]) -> str:
    """Text of the last user message."""
    for message in reversed(_messages(body)):
        if isinstance(message, dict) and message.get("role") == "user":
            return _text(message["content"])
    return ""


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if "text" in part)


def _words(body: dict[str, Any]) -> int:
    return sum(len(_text(message["content"]).split()) for message in _messages(body))


def chat_completion(call: Any, turn: Any, text: str) -> dict[str, Any]:
    """A chat completion."""
    message = {"role": "assistant", "content": text, "refusal": None} | turn.message
    count = call.body.get("n") or 1
    prompt, completion = _words(call.body), len(text.split()) * count
    return {
        "id": f"chatcmpl-{call.number}",
        "object": "chat.completion",
        "created": 1,
        "model": call.body.get("model"),
        "choices": [
            {"index": index, "message": message, "logprobs": None, "finish_reason": turn.finish_reason}
            for index in range(count)
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
    }


def response(call: Any, turn: Any, text: str) -> dict[str, Any]:
    """An answer of the Responses interface."""
    message = {"content": text} | turn.message
    output: list[dict[str, Any]] = []
    if message.get("reasoning"):
        summary = [{"type": "summary_text", "text": message["reasoning"]}]
        output.append({"id": "rs_1", "type": "reasoning", "summary": summary})
    parts: list[dict[str, Any]] = []
    if message.get("refusal"):
        parts = [{"type": "refusal", "refusal": message["refusal"]}]
    elif message["content"] is not None:
        parts = [{"type": "output_text", "text": message["content"], "annotations": []}]
    if parts:
        output.append({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": parts})
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    incomplete = reasons.get(turn.finish_reason)
    prompt, completion = _words(call.body), len(text.split())
    return {
        "id": f"resp_{call.number}",
        "object": "response",
        "created_at": 1,
        "model": call.body.get("model"),
        "status": "incomplete" if incomplete else "completed",
        "error": None,
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "output": output,
        "usage": {
            "input_tokens": prompt,
            "output_tokens": completion,
            "total_tokens": prompt + completion,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }
