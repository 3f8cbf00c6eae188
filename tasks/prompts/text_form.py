"""Prompts as one text, for base models."""

from collections.abc import Sequence

from tasks.prompts.interface import Dialogue, Filled, Section, Turn
from tasks.prompts.meta_template import MetaTemplate
from tasks.spec.chat import Message
from tasks.spec.findings import Finding, UserError

_ROLES = {"user": "HUMAN", "assistant": "BOT", "system": "SYSTEM"}


def text_prompt(filled: Filled, meta: MetaTemplate | None, generating: bool) -> str:
    """The prompt as a base model reads it.

    Text stays as it is. A dialogue is worded by `meta`; without one, what is said is joined by line breaks.
    """
    if isinstance(filled, str):
        return filled
    dialogue = filled if isinstance(filled, Dialogue) else as_dialogue(filled)
    if meta is None:
        return "\n".join(text for text in _said(dialogue) if text)
    out = [meta.begin if isinstance(meta.begin, str) else ""]
    for spoken in meta.speak(dialogue, generating):
        if isinstance(spoken, str):
            out.append(spoken)
        elif spoken.is_open:
            return "".join([*out, spoken.begin])
        else:
            out.append(spoken.text)
    return "".join([*out, meta.end])


def as_dialogue(messages: Sequence[Message]) -> Dialogue:
    """Raw messages as turns; system messages at the start come before the first round."""
    turns = [Turn(_ROLES[message["role"]], _text(message), fallback_role="HUMAN") for message in messages]
    first = next((index for index, turn in enumerate(turns) if turn.role != "SYSTEM"), len(turns))
    return Dialogue((Section("begin", tuple(turns[:first])), Section("round", tuple(turns[first:]))))


def _said(dialogue: Dialogue) -> list[str]:
    items = (item for section in dialogue.sections for item in section.items)
    return [item if isinstance(item, str) else item.prompt or "" for item in items]


def _text(message: Message) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    if any(part.get("type") != "text" for part in content):
        raise UserError(
            Finding(
                "the prompt has parts other than text, which this model cannot read",
                remedy="use a model that takes chat messages",
            )
        )
    return "\n".join(part["text"] for part in content)
