"""Raw chat messages with place-holders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tasks.prompts.interface import Row
from tasks.prompts.placeholders import TextTemplate
from tasks.spec.chat import Message
from tasks.spec.findings import Finding, UserError, nearest

ROLES = ("system", "user", "assistant")
_REMEDY = "write dict(role='user', content=…), dict(expand_column='…') or the ice_token"


@dataclass(frozen=True, slots=True)
class ExpandColumn:
    """Stands for the list of messages in a column of the row."""

    column: str


@dataclass(frozen=True, slots=True)
class MessageTemplate:
    """One message; `text` is None where its content is passed on as it is."""

    message: Message
    text: TextTemplate | None


@dataclass(frozen=True, slots=True)
class RawMessages:
    """A parsed list of messages; None marks the place of the in-context examples."""

    items: tuple[MessageTemplate | ExpandColumn | None, ...]

    @classmethod
    def parse(cls, messages: Any, fill: bool, ice_token: str) -> "RawMessages":
        """UserError names the item that is none of the known forms."""
        if not isinstance(messages, Sequence) or isinstance(messages, str):
            raise UserError(
                Finding(f"messages is a {type(messages).__name__}", remedy="write a list of dict(role=…, content=…)")
            )
        return cls(
            tuple(
                _item(item, f"messages[{index}]", fill, ice_token)
                for index, item in enumerate(cast(Sequence[Any], messages))
            )
        )

    @property
    def takes_examples(self) -> bool:
        return None in self.items

    def fill(self, row: Row, instead: Mapping[str, str], examples: Sequence[Message]) -> list[Message]:
        """The messages for `row`, free to be changed. UserError if a column to be expanded holds no messages."""
        out: list[Message] = []
        for item in self.items:
            if item is None:
                out += map(dict, examples)
            elif isinstance(item, ExpandColumn):
                out += _expanded(row, item.column)
            elif item.text is None:
                out.append(dict(item.message))
            else:
                out.append(item.message | {"content": item.text.fill(row, instead)})
        return out


def check_message(message: Any, place: str) -> Message:
    """The message, if it has a known role and text or parts as content; UserError otherwise."""
    if not isinstance(message, Mapping):
        raise UserError(Finding(f"{place} is {message!r}", remedy=_REMEDY))
    message = cast(Mapping[str, Any], message)
    if message.get("role") not in ROLES:
        role = str(message.get("role", ""))
        raise UserError(Finding(f"{place} has the role {role!r}", remedy=nearest(role, ROLES)))
    content = message.get("content")
    if not isinstance(content, str) and not _is_parts(content):
        raise UserError(
            Finding(
                f"the content of {place} is {content!r}",
                remedy="write a string or a list of parts such as dict(type='text', text=…)",
            )
        )
    return dict(message)


def _item(item: Any, place: str, fill: bool, ice_token: str) -> MessageTemplate | ExpandColumn | None:
    if item == ice_token:
        return None
    if isinstance(item, Mapping) and "expand_column" in item:
        return _expand(cast(Mapping[str, Any], item), place)
    message = check_message(item, place)
    content = message["content"]
    return MessageTemplate(message, TextTemplate.parse(content) if fill and isinstance(content, str) else None)


def _expand(item: Mapping[str, Any], place: str) -> ExpandColumn:
    column = item["expand_column"]
    if len(item) > 1 or not isinstance(column, str):
        raise UserError(
            Finding(
                f"{place} is {dict(item)!r}", remedy="write dict(expand_column='name of a column') and nothing else"
            )
        )
    return ExpandColumn(column)


def _expanded(row: Row, column: str) -> list[Message]:
    if column not in row:
        raise UserError(Finding(f"expand_column: the row has no column {column!r}", remedy=nearest(column, row)))
    messages = row[column]
    if not isinstance(messages, Sequence) or isinstance(messages, str):
        raise UserError(
            Finding(
                f"expand_column: {column!r} holds a {type(messages).__name__}",
                remedy="the column must hold a list of messages",
            )
        )
    return [check_message(message, f"{column}[{index}]") for index, message in enumerate(cast(Sequence[Any], messages))]


def _is_parts(content: Any) -> bool:
    return isinstance(content, Sequence) and all(isinstance(part, Mapping) for part in cast(Sequence[Any], content))
