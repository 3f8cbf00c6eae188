"""The forms a rendered prompt can take between the prompt renderer, the model and the files.

A prompt is either plain text or a list of messages. Messages come in two spellings, both of
OpenCompass: `{"role": "HUMAN" | "BOT" | "SYSTEM", "prompt": str}` for rendered dialogues, and raw
messages `{"role": "user" | "assistant" | "system", "content": str | list of parts}`, which reach the
service unchanged. Predictions files store the prompt in the spelling it was rendered in.
"""

from collections.abc import Sequence
from typing import Any, cast

Message = dict[str, Any]
Prompt = str | list[Message]

_WIRE_ROLES = {"HUMAN": "user", "BOT": "assistant", "SYSTEM": "system"}


def to_wire_messages(prompt: Prompt) -> list[Message]:
    """The prompt as chat-completion messages (`role`, `content`); text becomes one user message."""
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    return [_to_wire_message(message) for message in prompt]


def _to_wire_message(message: Message) -> Message:
    if "content" in message:
        return message
    return {"role": _WIRE_ROLES.get(message["role"], message["role"]), "content": message["prompt"]}


def prompt_text(prompt: Prompt) -> str:
    """All text of the prompt, for counting tokens and for people; image parts are left out."""
    if isinstance(prompt, str):
        return prompt
    return "\n".join(_content_text(message.get("content", message.get("prompt", ""))) for message in prompt)


def _content_text(content: str | Sequence[Any]) -> str:
    if isinstance(content, str):
        return content
    parts = (cast(dict[str, Any], part) for part in content if isinstance(part, dict))
    return "\n".join(part["text"] for part in parts if part.get("type") == "text")
