"""Prompts as chat messages, for chat models and APIs."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.prompts.interface import Dialogue, Filled
from tasks.prompts.meta_template import MetaTemplate, Role, Spoken
from tasks.prompts.raw_messages import check_message
from tasks.spec.chat import Message, to_wire_messages
from tasks.spec.finding_places import findings_at
from tasks.spec.findings import Finding, Place, UserError

API_ROLES = ("HUMAN", "BOT", "SYSTEM")

DIALOGUE_AS_IT_IS = MetaTemplate(
    round=(
        Role("SYSTEM", api_role="SYSTEM"),
        Role("HUMAN", api_role="HUMAN"),
        Role("BOT", generate=True, api_role="BOT"),
    ),
    speaks_defaults=False,
)
"""Stands in for the meta template of a chat model that has none: every turn becomes a message."""


def message_prompt(
    filled: Filled, meta: MetaTemplate, generating: bool, injected: Sequence[Message] = ()
) -> str | list[Message]:
    """The prompt as chat messages; text stays text.

    Turns that follow each other in one role are joined by a line break; loose text is left out. `injected` are the
    messages of a list-valued meta template.
    """
    if isinstance(filled, str):
        return filled
    messages = _messages(filled, meta, generating) if isinstance(filled, Dialogue) else filled
    return inject(injected, to_wire_messages(messages)) if injected else messages


def inject(injected: Sequence[Message], messages: Sequence[Message]) -> list[Message]:
    """Merges two lists of messages: equal roles at the cursors become one message, the injected content first."""
    out: list[Message] = []
    ours, theirs = 0, 0
    while ours < len(injected) and theirs < len(messages):
        extra, message = injected[ours], messages[theirs]
        if extra["role"] == message["role"]:
            out.append(message | {"content": _joined(extra["content"], message["content"])})
            ours, theirs = ours + 1, theirs + 1
        elif any(later["role"] == extra["role"] for later in messages[theirs:]):
            out.append(message)
            theirs += 1
        else:
            out.append(extra)
            ours += 1
    return [*out, *injected[ours:], *messages[theirs:]]


def check_injected(entries: Sequence[Any]) -> list[Message]:
    """The messages of a list-valued meta template; UserError if they are none."""
    with findings_at(Place(key="meta_template")):
        return [check_message(entry, f"item {index}") for index, entry in enumerate(entries)]


def check_api_roles(meta: MetaTemplate) -> None:
    """UserError unless every role of `meta` says who it is for an API."""
    for role in meta.round + meta.reserved:
        if _api_role(role) not in API_ROLES:
            raise UserError(
                Finding(
                    f"the role {role.name!r} has the api_role {role.api_role!r}, which chat messages do not know",
                    Place(key="meta_template"),
                    "add api_role='HUMAN', 'BOT' or 'SYSTEM' to it",
                )
            )


def _messages(dialogue: Dialogue, meta: MetaTemplate, generating: bool) -> list[Message]:
    out: list[Message] = []
    for spoken in meta.speak(dialogue, generating):
        if isinstance(spoken, Spoken) and not spoken.is_open:
            role, text = _api_role(spoken.role), spoken.text
            if out and out[-1]["role"] == role:
                out[-1]["prompt"] += "\n" + text
            else:
                out.append({"role": role, "prompt": text})
    return [*_opening(meta.begin), *out]


def _opening(begin: str | Mapping[str, Any]) -> list[Message]:
    if not begin:
        return []
    if isinstance(begin, str):
        return [{"role": "SYSTEM", "prompt": begin}]
    return [{"role": begin.get("api_role", begin.get("role", "SYSTEM")), "prompt": begin.get("prompt", "")}]


def _api_role(role: Role) -> str:
    return role.api_role or role.name


def _joined(extra: Any, content: Any) -> Any:
    if isinstance(extra, str) and isinstance(content, str):
        return extra + content
    return [*_parts(extra), *_parts(content)]


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
