"""Puts a chat completion together from the events of its stream."""

from dataclasses import dataclass, field
from typing import Any

from tasks.models.http.streaming import Receiver, Told
from tasks.models.services.chat_reply import content_text, reasoning_of


@dataclass
class _Choice:
    """One answer as far as it has come."""

    content: list[str] = field(default_factory=list[str])
    reasoning: list[str] = field(default_factory=list[str])
    refusal: list[str] = field(default_factory=list[str])
    finish_reason: str | None = None

    def add(self, delta: dict[str, Any]) -> tuple[str, str]:
        """Adds the next piece; returns its reasoning and its text."""
        content, reasoning = content_text(delta.get("content")), reasoning_of(delta) or ""
        if content:
            self.content.append(content)
        if reasoning:
            self.reasoning.append(reasoning)
        if refusal := delta.get("refusal"):
            self.refusal.append(refusal)
        return reasoning, content

    def reply(self) -> dict[str, Any]:
        message = {
            "content": "".join(self.content),
            "reasoning_content": "".join(self.reasoning),
            "refusal": "".join(self.refusal),
        }
        return {"message": message, "finish_reason": self.finish_reason}


class ChatPieces(Receiver):
    """What has come of an answer; `told` hears of every piece of text."""

    def __init__(self, told: Told) -> None:
        self.ended = False
        """Whether the service has said that nothing follows."""
        self._told = told
        self._choices: dict[int, _Choice] = {}
        self._usage: dict[str, Any] | None = None

    @property
    def has_text(self) -> bool:
        return any(choice.content or choice.refusal for choice in self._choices.values())

    @property
    def finished(self) -> bool:
        """Whether every choice has its finish reason."""
        return bool(self._choices) and all(choice.finish_reason for choice in self._choices.values())

    def take(self, event: dict[str, Any]) -> None:
        self._usage = event.get("usage") or self._usage
        for piece in event.get("choices") or ():
            index = piece.get("index") or 0
            choice = self._choices.get(index) or self._choices.setdefault(index, _Choice())
            choice.finish_reason = piece.get("finish_reason") or choice.finish_reason
            reasoning, content = choice.add(piece.get("delta") or {})
            self._told(reasoning, is_reasoning=True)
            self._told(content)

    def end(self) -> None:
        self.ended = True

    def reply(self) -> dict[str, Any]:
        """The reply that the service would have sent at once."""
        return {"choices": [choice.reply() for _, choice in sorted(self._choices.items())], "usage": self._usage}
