"""What prompts are made from, and what templates hand to meta templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tasks.spec.chat import Message

Row = Mapping[str, Any]


class Splits(Protocol):
    """The rows prompts are made from; a `LoadedDataset` is one."""

    @property
    def train(self) -> Sequence[Row]: ...
    @property
    def test(self) -> Sequence[Row]: ...


@dataclass(frozen=True, slots=True)
class Turn:
    """What one role says. None: not given, the meta template's own value holds."""

    role: str
    prompt: str | None = None
    begin: str | None = None
    end: str | None = None
    fallback_role: str | None = None
    """Who says it for a model that does not know `role`."""


SectionName = Literal["begin", "round", "end", "ice"]


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a filled dialogue; `ice` is one in-context example. Loose text stands in `begin` and `end` only."""

    name: SectionName
    items: tuple[Turn | str, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A filled dialogue template, not yet in the words of a model."""

    sections: tuple[Section, ...]


Filled = str | Dialogue | list[Message]
"""A filled template: text, a dialogue, or raw messages."""
TemplateKind = Literal["text", "dialogue", "messages"]
